import { expect, test, vi } from 'vitest'
import { ApiError } from '../../lib/api-error.ts'
import { fieldErrors, showServerErrors } from './server-errors.ts'

const answer = (body: object) => new ApiError({ status: 400, statusText: 'Bad Request', retryAfter: null }, JSON.stringify(body))

test('the fields that the server names', () => {
  const error = answer({ code: 'invalid_input', message: 'Correct the marked fields.', fields: { email: 'Email is required' } })
  expect(fieldErrors(error)).toEqual({ email: 'Email is required' })
})

test('a refusal that is about one field', () => {
  expect(fieldErrors(answer({ code: 'email_taken', message: 'An account with this email exists.' }))).toEqual({
    email: 'An account with this email exists.',
  })
  expect(fieldErrors(answer({ code: 'underage', message: 'Too young.' }))).toEqual({ birthday: 'Too young.' })
})

test('everything else names no field', () => {
  expect(fieldErrors(answer({ code: 'too_many_requests', message: 'Wait.' }))).toEqual({})
  expect(fieldErrors(new TypeError('fetch failed'))).toEqual({})
})

test('the first wrong field of the page takes the focus, whatever the order of the answer', () => {
  const form = { setError: vi.fn(), setFocus: vi.fn() }
  const error = answer({ code: 'invalid_input', message: 'x', fields: { password: 'p', email: 'e', other: 'o' } })
  expect(showServerErrors(form, error, ['firstName', 'email', 'password'])).toBe(true)
  expect(form.setError.mock.calls.map(([field]) => field)).toEqual(['email', 'password'])
  expect(form.setFocus).toHaveBeenCalledExactlyOnceWith('email')
})
