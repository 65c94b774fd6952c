export type PasswordStrength = {
  /** 0 (guessed at once) to 4. */
  score: 0 | 1 | 2 | 3 | 4
  /** The server takes it. */
  isEnough: boolean
  /** What makes it weak or what would make it stronger; null when there is nothing to say. */
  hint: string | null
}

/** `words` are the person's own: name, email, brand. A password made of them is as weak as one of a dictionary. */
export type PasswordJudge = (password: string, words: string[]) => PasswordStrength
