import type { PasswordRater } from './password-judge.ts'

let loading: Promise<PasswordRater> | null = null

/**
 * The estimator is large, so it loads once, on demand.
 * @throws if loading fails; a later call retries
 */
export function loadPasswordRater(): Promise<PasswordRater> {
  loading ??= import('./password-judge.ts').then(
    ({ ratePassword: judgePassword }) => judgePassword,
    (error: unknown) => {
      loading = null
      throw error
    },
  )
  return loading
}

const shortestWord = 3

/** Attackers try personal words first. Returns whole values and their parts, longest first. */
export function ownWords(person: { firstName: string; lastName: string; email: string }, brandName: string): string[] {
  const texts = [person.email, person.firstName, person.lastName, brandName].map((text) => text.trim().toLowerCase())
  const words = texts.flatMap((text) => [text, text.replace(/\s+/g, ''), ...text.split(/[^\p{L}\p{N}]+/u)])
  return [...new Set(words)].filter((word) => word.length >= shortestWord).sort((a, b) => b.length - a.length)
}

export const easyToGuess = 'This password is easy to guess. Choose a longer or less common one.'

/** True if the estimator fails to load, because the server checks anyway. */
export async function isHardToGuess(password: string, words: string[]): Promise<boolean> {
  try {
    const judge = await loadPasswordRater()
    return judge(password, words).isEnough
  } catch {
    return true
  }
}
