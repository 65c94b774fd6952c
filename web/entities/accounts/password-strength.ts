import type { PasswordJudge } from './password-judge.ts'

let loading: Promise<PasswordJudge> | null = null

/**
 * Loads the estimator and its dictionaries (about 200 KB compressed) once, on demand.
 * @throws if loading fails; a later call retries
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

/** Personal words an attacker tries first: whole values and their parts, longest first. */
export function ownWords(person: { firstName: string; lastName: string; email: string }, brandName: string): string[] {
  const texts = [person.email, person.firstName, person.lastName, brandName].map((text) => text.trim().toLowerCase())
  const words = texts.flatMap((text) => [text, text.replace(/\s+/g, ''), ...text.split(/[^\p{L}\p{N}]+/u)])
  return [...new Set(words)].filter((word) => word.length >= shortestWord).sort((a, b) => b.length - a.length)
}

export const easyToGuess = 'This password is easy to guess. Choose a longer or less common one.'

/** Whether the server will accept the password. True if the estimator can't load: the server checks anyway. */
export async function isHardToGuess(password: string, words: string[]): Promise<boolean> {
  try {
    const judge = await loadPasswordJudge()
    return judge(password, words).isEnough
  } catch {
    return true
  }
}
