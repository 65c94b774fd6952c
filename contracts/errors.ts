import * as z from './zod.ts'

export const errorStatus = {
  invalid_input: 400,
  weak_password: 400,
  underage: 400,
  invalid_token: 400,
  signed_out: 401,
  other_account: 401,
  wrong_credentials: 401,
  payment_required: 402,
  forbidden: 403,
  age_restricted: 403,
  birthday_required: 403,
  second_factor_required: 403,
  muted: 403,
  suspended: 403,
  account_leaving: 403,
  email_unverified: 403,
  foreign_origin: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  plan_limit: 409,
  last_copy: 409,
  email_taken: 409,
  too_large: 413,
  unsupported_media_type: 415,
  idempotency_mismatch: 422,
  too_many_requests: 429,
  internal: 500,
  unavailable: 503,
} as const

export type ErrorCode = keyof typeof errorStatus

export const ErrorAnswer = z.object({
  /** What happened and what to do. */
  message: z.string(),
  code: z.enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]),
  /** The first message for each invalid field, by dotted path. For `last_copy`, a sentence for each genotype by name ("#7"). */
  fields: z.optional(z.record(z.string(), z.string())),
  /** Alternatives, as paths on this site. For a license number that is already listed, the page to claim the listing. */
  links: z.optional(z.array(z.object({ title: z.string(), path: z.string() }))),
})
export type ErrorAnswer = z.infer<typeof ErrorAnswer>
