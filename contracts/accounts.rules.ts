export const minPasswordLength = 8

/** zxcvbn scores range from 0 (trivial) to 4; 2 takes at least a million guesses. */
export const minPasswordScore = 2

/** Messages by zxcvbn finding. Other findings show only the general advice. */
export const passwordFindings: Record<string, string> = {
  topTen: 'This is one of the most common passwords.',
  topHundred: 'This is one of the most common passwords.',
  common: 'This is a common password.',
  similarToCommon: 'This is similar to a common password.',
  userInputs: 'This is based on your name, your email address or our name.',
  straightRow: 'Rows of keys are easy to guess.',
  keyPattern: 'Keyboard patterns are easy to guess.',
  simpleRepeat: 'Repeated characters are easy to guess.',
  extendedRepeat: 'Repeated patterns are easy to guess.',
  sequences: 'Sequences such as abc or 4567 are easy to guess.',
  recentYears: 'Years are easy to guess.',
  dates: 'Dates are easy to guess.',
}

export const passwordAdvice = 'Three or four unrelated words make a good password.'
