import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'
import { minPasswordLength } from '../../../contracts/accounts.ts'
import { leastPasswordScore, passwordAdvice, passwordFindings } from '../../../contracts/password-rule.ts'
import type { PasswordStrength } from './judged-password.ts'

const zxcvbn = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })
const commonPasswords = new Set<unknown>(dictionary['passwords-common'])

/** Judges as the server does, which a test holds it to. */
export function judgePassword(password: string, words: string[]): PasswordStrength {
  if (password.length < minPasswordLength) {
    return { score: 0, isEnough: false, hint: `At least ${minPasswordLength} characters. ${passwordAdvice}` }
  }
  const { score, feedback } = zxcvbn.check(password, words)
  const isCommon = commonPasswords.has(password.toLowerCase())
  const isTheirs = isMadeOf(password, words)
  const isEnough = score >= leastPasswordScore && !isCommon && !isTheirs
  if (isEnough) return { score, isEnough, hint: score === leastPasswordScore ? passwordAdvice : null }
  const finding = passwordFindings[isCommon ? 'common' : isTheirs ? 'userInputs' : (feedback.warning ?? '')]
  return { score: score < leastPasswordScore ? score : 1, isEnough, hint: finding ? `${finding} ${passwordAdvice}` : passwordAdvice }
}

/** zxcvbn finds "Ann Gardener 1990" strong even when it knows the name, so the rest must be strong without it. */
function isMadeOf(password: string, words: string[]): boolean {
  const rest = words.reduce((text, word) => text.replaceAll(word, ''), password.toLowerCase())
  return rest.length < password.length && zxcvbn.check(rest).score < leastPasswordScore
}
