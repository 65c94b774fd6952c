import { type ErrorAnswer, type ErrorCode, errorStatus } from '../../contracts/errors.ts'

/** What a person reads when the thrower gave no sentence of its own. */
const defaultMessages: Record<ErrorCode, string> = {
  invalid_input: 'Some of what was sent is not valid. Correct the marked fields and send it again.',
  weak_password: 'This password is easy to guess. Choose a longer or less common one.',
  underage: 'You must be 18 years or older to access this platform.',
  invalid_token: 'This link is not valid any more. Ask for a new one.',
  signed_out: 'Sign in to do this.',
  wrong_credentials: 'The email or the password is not right.',
  payment_required: 'This has a price. Buy it first.',
  forbidden: 'You may not do this.',
  age_restricted: 'This is shown to people of legal age only.',
  birthday_required: 'Tell us your birthday first.',
  second_factor_required: 'Show your second factor first: what moderators and admins do needs it.',
  muted: 'You can read here, but not write for now. You can see why, and appeal.',
  account_leaving: 'This account is to be deleted. Keep it to go on.',
  suspended: 'This account is suspended. You can see why, and appeal.',
  email_unverified: 'Confirm your email address with the link we mailed you, then sign in.',
  foreign_origin: 'This request came from another site and was refused.',
  not_found: 'There is nothing here, or it is not visible to you.',
  method_not_allowed: 'This address does not take that method.',
  conflict: 'This does not fit with what is already stored. Reload and try again.',
  plan_limit: 'Your plan has no more room for this. Remove something or choose another plan.',
  last_copy: 'This would end the last living copy. Confirm it by typing its number.',
  email_taken: 'An account with this email exists. Sign in instead.',
  too_large: 'This is too large.',
  unsupported_media_type: 'Send the data as JSON (Content-Type: application/json).',
  idempotency_mismatch: 'This Idempotency-Key was used with other data. Use a new key.',
  too_many_requests: 'Too many requests. Wait a moment and try again.',
  internal: 'Something went wrong on our side. Try again; if it happens again, contact support.',
  unavailable: 'The service is busy right now. Try again in a few seconds.',
}

type Details = {
  message?: string
  fields?: Record<string, string>
  links?: NonNullable<ErrorAnswer['links']>
  retryAfterSeconds?: number
  cause?: unknown
}

/** An error that is answered to the caller as it is. Anything else that is thrown becomes `internal`. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly fields: Record<string, string> | undefined
  readonly links: ErrorAnswer['links']
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, details: Details = {}) {
    super(details.message ?? defaultMessages[code], { cause: details.cause })
    this.code = code
    this.fields = details.fields
    this.links = details.links
    this.retryAfterSeconds = details.retryAfterSeconds
  }

  get status(): number {
    return errorStatus[this.code]
  }

  toAnswer(): ErrorAnswer {
    return {
      message: this.message,
      code: this.code,
      ...(this.fields ? { fields: this.fields } : {}),
      ...(this.links ? { links: this.links } : {}),
    }
  }
}

export const notFound = (message?: string) => new AppError('not_found', message === undefined ? {} : { message })

export type Issue = { readonly path: PropertyKey[]; readonly message: string }

/** A 400 that names every wrong field at once, each with its first message. */
export function invalidInput(issues: readonly Issue[]): AppError {
  const fields: Record<string, string> = {}
  for (const issue of issues) {
    const field = issue.path.join('.') || 'body'
    fields[field] ??= issue.message
  }
  const [first] = Object.values(fields)
  return new AppError('invalid_input', { fields, ...(Object.keys(fields).length === 1 && first ? { message: first } : {}) })
}

/** A 400 about one field. */
export const invalidField = (field: string, message: string) => new AppError('invalid_input', { message, fields: { [field]: message } })
