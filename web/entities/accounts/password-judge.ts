import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'
import { minPasswordLength, minPasswordScore, passwordAdvice, passwordFindings } from '#contracts/accounts.rules.ts'

const zxcvbn = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })
const commonPasswords = new Set<unknown>(dictionary['passwords-common'])

/** Mirrors the server's rules; a test compares the two. */
export function ratePassword(password: string, words: string[]): PasswordStrength {
  if (password.length < minPasswordLength) {
    return { score: 0, isEnough: false, hint: `At least ${minPasswordLength} characters. ${passwordAdvice}` }
  }
  const { score, feedback } = zxcvbn.check(password, words)
  const isCommon = commonPasswords.has(password.toLowerCase())
  const isTheirs = isMadeOf(password, words)
  const isEnough = score >= minPasswordScore && !isCommon && !isTheirs
  if (isEnough) return { score, isEnough, hint: score === minPasswordScore ? passwordAdvice : null }
  const finding = passwordFindings[isCommon ? 'common' : isTheirs ? 'userInputs' : (feedback.warning ?? '')]
  return { score: score < minPasswordScore ? score : 1, isEnough, hint: finding ? `${finding} ${passwordAdvice}` : passwordAdvice }
}

/** zxcvbn rates "Ann Gardener 1990" as strong even if given the name, so the rest of the password must be strong by itself. */
function isMadeOf(password: string, words: string[]): boolean {
  const rest = words.reduce((text, word) => text.replaceAll(word, ''), password.toLowerCase())
  return rest.length < password.length && zxcvbn.check(rest).score < minPasswordScore
}

type PasswordStrength = {
  /** 0 (guessed immediately) to 4. */
  score: 0 | 1 | 2 | 3 | 4
  isEnough: boolean
  hint: string | null
}

/** `words` are the person's name and email and our brand; they count as dictionary words. */
export type PasswordRater = (password: string, words: string[]) => PasswordStrength
