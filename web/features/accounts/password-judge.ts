import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'
import { minPasswordLength } from '../../../contracts/accounts.ts'
import type { PasswordStrength } from './judged-password.ts'

const zxcvbn = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })
const commonPasswords = new Set<unknown>(dictionary['passwords-common'])

/** From 0 (guessed at once) to 4; the server takes no less either. */
const leastScore = 2

/** What zxcvbn found, said to a person. What is not listed gets the advice alone. */
const findings: Record<string, string> = {
  topTen: 'This is one of the passwords that are tried first.',
  topHundred: 'This is one of the passwords that are tried first.',
  common: 'This password is in the lists of common ones.',
  similarToCommon: 'This is close to a common password.',
  userInputs: 'This is made of your own name, your email or ours.',
  straightRow: 'Rows of keys are guessed quickly.',
  keyPattern: 'Patterns on the keyboard are guessed quickly.',
  simpleRepeat: 'Repeated signs are guessed quickly.',
  extendedRepeat: 'Repeated parts are guessed quickly.',
  sequences: 'Sequences such as abc or 4567 are guessed quickly.',
  recentYears: 'Years are guessed quickly.',
  dates: 'Dates are guessed quickly.',
}
const advice = 'Three or four words that have nothing to do with each other make a good password.'

/** Judges as the server does, which a test holds it to. */
export function judgePassword(password: string, words: string[]): PasswordStrength {
  if (password.length < minPasswordLength) {
    return { score: 0, isEnough: false, hint: `At least ${minPasswordLength} characters. ${advice}` }
  }
  const { score, feedback } = zxcvbn.check(password, words)
  const isCommon = commonPasswords.has(password.toLowerCase())
  const isTheirs = isMadeOf(password, words)
  const isEnough = score >= leastScore && !isCommon && !isTheirs
  if (isEnough) return { score, isEnough, hint: score === leastScore ? advice : null }
  const finding = findings[isCommon ? 'common' : isTheirs ? 'userInputs' : (feedback.warning ?? '')]
  return { score: score < leastScore ? score : 1, isEnough, hint: finding ? `${finding} ${advice}` : advice }
}

/** zxcvbn finds "Ann Gardener 1990" strong even when it knows the name, so the rest must be strong without it. */
function isMadeOf(password: string, words: string[]): boolean {
  const rest = words.reduce((text, word) => text.replaceAll(word, ''), password.toLowerCase())
  return rest.length < password.length && zxcvbn.check(rest).score < leastScore
}
