import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'
import type { ErrorCode } from '#contracts/errors.ts'
import { ApiError } from '#web/lib/api-error.ts'

/** These errors concern one field, but don't name it. */
const fieldOfCode: Partial<Record<ErrorCode, string>> = {
  email_taken: 'email',
  weak_password: 'password',
  underage: 'birthday',
  birthday_required: 'birthday',
}

/** True if the session ended while the form was open. */
export const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.status === 401

/** Empty if no error concerns a field. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {}
  const field = error.code && fieldOfCode[error.code]
  return Object.keys(error.fields).length > 0 || !field ? error.fields : { [field]: error.userMessage }
}

/**
 * Focuses the first invalid field.
 * @param fields the form's fields in page order; errors of other fields aren't shown
 * @returns whether any field was marked
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
