import type { ErrorAnswer, ErrorCode } from '#contracts/errors.ts'

/** `message` is the specification's text. Show people `userMessage` instead. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: ErrorCode | null
  readonly fields: Readonly<Record<string, string>>
  readonly links: NonNullable<ErrorAnswer['links']>
  readonly userMessage: string
  readonly retryAfterSeconds: number | null

  constructor(response: { status: number; statusText: string; retryAfter: string | null }, body: string) {
    super(`${response.status}: ${body || response.statusText}`)
    const answer = parseAnswer(body)
    this.status = response.status
    this.code = answer?.code ?? null
    this.fields = answer?.fields ?? {}
    this.links = answer?.links ?? []
    this.userMessage = answer?.message ?? (response.statusText || 'Something went wrong. Try again.')
    this.retryAfterSeconds = response.retryAfter ? Number(response.retryAfter) : null
  }
}

function parseAnswer(body: string): ErrorAnswer | null {
  try {
    const answer = JSON.parse(body) as Partial<ErrorAnswer>
    return typeof answer.message === 'string' ? (answer as ErrorAnswer) : null
  } catch {
    return null
  }
}

export function messageOf(error: unknown, fallback = 'Something went wrong. Try again.'): string {
  if (error instanceof ApiError) return error.userMessage
  // fetch rejects with a TypeError if there was no response at all.
  if (error instanceof TypeError) return 'No connection to the server. Check your network and try again.'
  return fallback
}

/** The server responds with 400 if the address can't be an ID or a slug. */
export const isAbsent = (error: unknown): boolean => error instanceof ApiError && (error.status === 404 || error.status === 400)

const prefix = 'Code did not arrive: '

/**
 * Code may fail to load offline, or after a newer version was deployed. The router recognizes browsers' own messages and would reload the
 * page; offline, that would only show the browser's error page. With our message, the error screen appears instead.
 */
export function markMissingCode(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    payload.message = prefix + payload.message
  })
}

export const isMissingCode = (error: unknown): boolean => error instanceof Error && error.message.startsWith(prefix)
