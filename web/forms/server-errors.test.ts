import { expect, test, vi } from 'vitest'
import { ApiError } from '#web/lib/api-error.ts'
import { fieldErrors, showServerErrors } from './server-errors.ts'

const answer = (body: object) => new ApiError({ status: 400, statusText: 'Bad Request', retryAfter: null }, JSON.stringify(body))

test('returns the fields that the server names', () => {
  const error = answer({ code: 'invalid_input', message: 'Correct the marked fields.', fields: { email: 'Email is required' } })
  expect(fieldErrors(error)).toEqual({ email: 'Email is required' })
})

test('assigns a refusal that concerns one field to that field', () => {
  expect(fieldErrors(answer({ code: 'email_taken', message: 'An account with this email exists.' }))).toEqual({
    email: 'An account with this email exists.',
  })
  expect(fieldErrors(answer({ code: 'underage', message: 'Too young.' }))).toEqual({ birthday: 'Too young.' })
})

test('returns no fields for other errors', () => {
  expect(fieldErrors(answer({ code: 'too_many_requests', message: 'Wait.' }))).toEqual({})
  expect(fieldErrors(new TypeError('fetch failed'))).toEqual({})
})

test('focuses the page’s first invalid field, regardless of the order in the response', () => {
  const form = { setError: vi.fn(), setFocus: vi.fn() }
  const error = answer({ code: 'invalid_input', message: 'x', fields: { password: 'p', email: 'e', other: 'o' } })
  expect(showServerErrors(form, error, ['firstName', 'email', 'password'])).toBe(true)
  expect(form.setError.mock.calls.map(([field]) => field)).toEqual(['email', 'password'])
  expect(form.setFocus).toHaveBeenCalledExactlyOnceWith('email')
})
