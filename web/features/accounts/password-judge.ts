import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'
import { minPasswordLength } from '../../../contracts/accounts.ts'
import type { PasswordStrength } from './password-strength.ts'

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })
const commonPasswords = new Set(dictionary['passwords-common'].map((word) => String(word).toLowerCase()))

/** The lowest score that the server takes, too. */
const enoughScore = 2

/** The estimator names what it found; these are the sentences for it. */
const warnings: Record<string, string> = {
  straightRow: 'Keys in a row are easy to guess.',
  keyPattern: 'Patterns on the keyboard are easy to guess.',
  simpleRepeat: 'Repeated characters are easy to guess.',
  extendedRepeat: 'Repeated groups of characters are easy to guess.',
  sequences: 'Sequences such as abc or 6543 are easy to guess.',
  recentYears: 'Years are easy to guess.',
  dates: 'Dates are easy to guess.',
  topTen: 'This is one of the most common passwords.',
  topHundred: 'This is a very common password.',
  common: 'This is a common password.',
  similarToCommon: 'This is close to a common password.',
  wordByItself: 'A single word is easy to guess.',
  namesByThemselves: 'Names are easy to guess.',
  commonNames: 'Common names are easy to guess.',
  userInputs: 'Your own name or email is easy to guess.',
}

const addWords = 'Add another word or two; uncommon ones are best.'

/** Judges as the server does: long enough, at least the score above, and in no list of common passwords. */
export function judgePassword(password: string, words: string[]): PasswordStrength {
  if (password.length < minPasswordLength) {
    return { score: 0, isEnough: false, hint: `Use at least ${minPasswordLength} characters. A few words make a good password.` }
  }
  const isCommon = commonPasswords.has(password.toLowerCase())
  const { score, feedback } = estimator.check(password, words)
  const isEnough = score >= enoughScore && !isCommon
  return { score: isCommon && score > 1 ? 1 : score, isEnough, hint: hintFor(isCommon ? 'common' : feedback.warning, score) }
}

function hintFor(warning: string | null, score: number): string | null {
  if (score > enoughScore) return null
  const found = warning ? warnings[warning] : undefined
  return found ? `${found} ${addWords}` : addWords
}
