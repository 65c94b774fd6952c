import type { PasswordJudge } from './judged-password.ts'

let loading: Promise<PasswordJudge> | null = null

/**
 * Loads the estimator and its dictionaries (about 200 KB compressed), once, and not before somebody is about to type a password.
 * @throws when they cannot be loaded; a later call tries again
 */
export function loadPasswordJudge(): Promise<PasswordJudge> {
  loading ??= import('./password-judge.ts').then(
    ({ judgePassword }) => judgePassword,
    (error: unknown) => {
      loading = null
      throw error
    },
  )
  return loading
}

const shortestWord = 3

/** What an attacker who knows the person tries first: the whole texts and their parts, the longest first. */
export function ownWords(person: { firstName: string; lastName: string; email: string }, brandName: string): string[] {
  const texts = [person.email, person.firstName, person.lastName, brandName].map((text) => text.trim().toLowerCase())
  const words = texts.flatMap((text) => [text, text.replace(/\s+/g, ''), ...text.split(/[^\p{L}\p{N}]+/u)])
  return [...new Set(words)].filter((word) => word.length >= shortestWord).sort((a, b) => b.length - a.length)
}

export const easyToGuess = 'This password is easy to guess. Choose a longer or less common one.'

/** Whether the server will take the password. True when the estimator does not arrive: the server judges anyway. */
export async function isHardToGuess(password: string, words: string[]): Promise<boolean> {
  try {
    const judge = await loadPasswordJudge()
    return judge(password, words).isEnough
  } catch {
    return true
  }
}
