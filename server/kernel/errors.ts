import { type ErrorAnswer, type ErrorCode, errorStatus } from '#contracts/errors.ts'

const defaultMessages: Record<ErrorCode, string> = {
  invalid_input: 'Something isn’t valid. Correct the marked fields and send it again.',
  weak_password: 'This password is easy to guess. Choose a longer or less common one.',
  underage: 'You must be 18 years or older to access this platform.',
  invalid_token: 'This link is no longer valid. Request a new one.',
  signed_out: 'Sign in to do this.',
  other_account:
    'Someone else is signed in now, so nothing was saved. Sign in as yourself in another tab and try again, or reload this page to use their account.',
  wrong_credentials: 'Incorrect email or password.',
  payment_required: 'This isn’t free. Buy it first.',
  forbidden: 'You can’t do this.',
  age_restricted: 'You must be of legal age to see this.',
  birthday_required: 'Enter your birthday first.',
  second_factor_required: 'Enter your second factor first. Moderators and admins need it.',
  muted: 'For now, you can read but not write here. You can see why and appeal.',
  account_leaving: 'This account will be deleted. Keep it to continue.',
  suspended: 'This account is suspended. You can see why and appeal.',
  email_unverified: 'Confirm your email address with the link we emailed you, then sign in.',
  foreign_origin: 'This request came from another site and was refused.',
  not_found: 'This can’t be found or isn’t visible to you.',
  method_not_allowed: 'This address doesn’t support that method.',
  conflict: 'This conflicts with what is already stored. Reload and try again.',
  plan_limit: 'You’ve reached the limit of your plan. Remove something or choose another plan.',
  last_copy: 'This would end the last living copy. Type its number to confirm.',
  email_taken: 'An account with this email already exists. Sign in instead.',
  too_large: 'This is too large.',
  unsupported_media_type: 'Send the data as JSON (Content-Type: application/json).',
  idempotency_mismatch: 'This Idempotency-Key was already used with other data. Use a new key.',
  too_many_requests: 'Too many requests. Wait a moment and try again.',
  internal: 'Something went wrong on our end. Try again. If it happens again, contact support.',
  unavailable: 'The service is busy right now. Try again in a few seconds.',
}

type Details = {
  message?: string
  fields?: Record<string, string>
  links?: NonNullable<ErrorAnswer['links']>
  retryAfterSeconds?: number
  cause?: unknown
}

/** An error whose message is sent to the caller. Any other error becomes `internal`. */
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

export function invalidInput(issues: readonly Issue[]): AppError {
  const fields: Record<string, string> = {}
  for (const issue of issues) {
    const field = issue.path.join('.') || 'body'
    fields[field] ??= issue.message
  }
  const [first] = Object.values(fields)
  return new AppError('invalid_input', { fields, ...(Object.keys(fields).length === 1 && first ? { message: first } : {}) })
}

export const invalidField = (field: string, message: string) => new AppError('invalid_input', { message, fields: { [field]: message } })
