import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'
import { minPasswordScore, passwordAdvice, passwordFindings } from '#contracts/accounts.rules.ts'
import { AppError } from '#server/kernel/errors.ts'

export type Hints = { email: string; firstName: string | null; lastName: string | null; brandName: string }

/** Created on first use, because loading the dictionaries takes time and memory. */
let checker: ZxcvbnFactory | undefined
const commonPasswords = new Set<string>()
function getChecker(): ZxcvbnFactory {
  if (!checker) {
    checker = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })
    for (const password of dictionary['passwords-common']) commonPasswords.add(password)
  }
  return checker
}

/**
 * Explains in a sentence or two why a password is too weak; null if it is strong enough.
 * The web app's meter uses the same library and dictionaries.
 */
export function weaknessOf(password: string, hints: Hints): string | null {
  const zxcvbn = getChecker()
  const words = knownWords(hints)
  const { score, feedback } = zxcvbn.check(password, words)
  const isCommon = commonPasswords.has(password.toLowerCase())
  // zxcvbn rates "Ann Gardener 1990" as strong even if it is given the name, so the rest must be strong without it.
  const rest = words.reduce((text, word) => text.replaceAll(word, ''), password.toLowerCase())
  const isTheirs = rest.length < password.length && zxcvbn.check(rest).score < minPasswordScore
  if (score >= minPasswordScore && !isCommon && !isTheirs) return null
  const finding = passwordFindings[isCommon ? 'common' : isTheirs ? 'userInputs' : (feedback.warning ?? '')]
  return finding ? `${finding} ${passwordAdvice}` : `This password is easy to guess. ${passwordAdvice}`
}

/** @throws AppError weak_password, naming `password` */
export function requireStrongPassword(password: string, hints: Hints): void {
  const message = weaknessOf(password, hints)
  if (message !== null) throw new AppError('weak_password', { message, fields: { password: message } })
}

const shortestWord = 3

function knownWords({ email, firstName, lastName, brandName }: Hints): string[] {
  const texts = [email, firstName, lastName, brandName].filter((text) => text !== null)
  const words = texts.flatMap((text) => [text, text.replace(/\s+/g, ''), ...text.split(/[^\p{L}\p{N}]+/u)])
  const distinct = [...new Set(words.map((word) => word.toLowerCase()))].filter((word) => word.length >= shortestWord)
  return distinct.sort((a, b) => b.length - a.length)
}
