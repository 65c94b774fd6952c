import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'
import type { ErrorCode } from '#contracts/errors.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'

/** The field that an error concerns, by its code, for errors that don't name the field. */
const fieldOfCode: Partial<Record<ErrorCode, string>> = {
  email_taken: 'email',
  weak_password: 'password',
  underage: 'birthday',
  birthday_required: 'birthday',
}

/** True if the session ended while the form was open. */
export const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.status === 401

/** Someone else changed the same thing in the meantime. */
export const isConflict = (error: unknown): boolean => error instanceof ApiError && error.code === 'conflict'

/** Empty if no error concerns a field. */
export function fieldErrors(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof ApiError)) return {}
  const field = error.code && fieldOfCode[error.code]
  return Object.keys(error.fields).length > 0 || !field ? error.fields : { [field]: error.userMessage }
}

/** Errors of fields that the form doesn't have. Null if there are none. */
export function otherErrors(error: unknown, fields: readonly string[]): string | null {
  const others = Object.entries(fieldErrors(error)).flatMap(([field, message]) => (fields.includes(field) ? [] : [message]))
  return others.length > 0 ? [...new Set(others)].join(' · ') : null
}

/** Why the server refused the call, unless the reason concerns a field. Null also for failures of the server or the network. */
export function refusalOf(error: unknown): string | null {
  const isRefused = error instanceof ApiError && error.code !== null && error.status < 500
  return isRefused && Object.keys(fieldErrors(error)).length === 0 ? error.userMessage : null
}

/**
 * Splits an error into the messages of the form's fields and `rest`, which the form must show separately: errors of other fields, or an
 * error that concerns no field. `rest` is null if there is nothing.
 */
export function splitErrors(error: unknown, fields: readonly string[]): { marked: Record<string, string>; rest: string | null } {
  const marked = Object.fromEntries(Object.entries(fieldErrors(error)).filter(([field]) => fields.includes(field)))
  return { marked, rest: otherErrors(error, fields) ?? (Object.keys(marked).length > 0 ? null : messageOf(error)) }
}

/**
 * Opens a collapsed part of a form if one of its fields is wrong. Call before focusing the field: in a closed part, it can't get focus, and
 * its error can't be seen.
 * @param errors with the names of all wrong fields as keys
 */
export function openIfWrong(part: Pick<HTMLDetailsElement, 'open'> | null, fields: readonly string[], errors: object): void {
  if (part && fields.some((field) => field in errors)) part.open = true
}

/**
 * Marks the form's fields and focuses the first invalid one.
 * @param fields in page order
 * @param pathOf the name of a field in the call's body
 * @returns the `rest` of {@link splitErrors}
 */
export function showServerErrors<Values extends FieldValues>(
  form: Pick<UseFormReturn<Values>, 'setError' | 'setFocus'>,
  error: unknown,
  fields: readonly FieldPath<Values>[],
  pathOf: (field: FieldPath<Values>) => string = (field) => field,
): string | null {
  const { marked, rest } = splitErrors(error, fields.map(pathOf))
  const wrong = fields.filter((field) => marked[pathOf(field)] !== undefined)
  for (const field of wrong) form.setError(field, { type: 'server', message: marked[pathOf(field)] as string })
  const [first] = wrong
  if (first) form.setFocus(first)
  return rest
}
