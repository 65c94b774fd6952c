import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'
import type { ErrorCode } from '../../../contracts/errors.ts'
import { ApiError } from '../../lib/api-error.ts'

/** Refusals that are about one field without naming it. */
const fieldOfCode: Partial<Record<ErrorCode, string>> = {
  email_taken: 'email',
  weak_password: 'password',
  underage: 'birthday',
  birthday_required: 'birthday',
}

/** The session has ended while somebody was typing. */
export const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.status === 401

/** What the server found wrong, by field; empty when it was something else. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {}
  const field = error.code && fieldOfCode[error.code]
  return Object.keys(error.fields).length > 0 || !field ? error.fields : { [field]: error.userMessage }
}

/**
 * Puts the server's errors beside the form's own and focuses the first of them.
 * @param fields the form's fields in the order of the page; errors of others are left to the toast
 * @returns whether a field was marked
 */
export function showServerErrors<Values extends FieldValues>(
  form: Pick<UseFormReturn<Values>, 'setError' | 'setFocus'>,
  error: unknown,
  fields: readonly FieldPath<Values>[],
): boolean {
  const errors = fieldErrors(error)
  const wrong = fields.filter((field) => errors[field] !== undefined)
  for (const field of wrong) form.setError(field, { type: 'server', message: errors[field] as string })
  const [first] = wrong
  if (first) form.setFocus(first)
  return first !== undefined
}
