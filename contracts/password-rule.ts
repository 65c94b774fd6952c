/** zxcvbn counts from 0 (guessed at once) to 4; 2 takes about a hundred million guesses. */
export const leastPasswordScore = 2

/** What zxcvbn found, said to a person. What is not listed gets the advice alone. */
export const passwordFindings: Record<string, string> = {
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

export const passwordAdvice = 'Three or four words that have nothing to do with each other make a good password.'
