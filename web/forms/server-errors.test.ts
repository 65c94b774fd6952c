import { expect, test, vi } from 'vitest'
import { ApiError } from '#web/lib/api-error.ts'
import { fieldErrors, openIfWrong, otherErrors, refusalOf, showServerErrors, splitErrors } from './server-errors.ts'

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

test('returns the reason for a refusal that concerns no field', () => {
  const answerOf = (status: number, body: object | string) =>
    new ApiError({ status, statusText: 'x', retryAfter: null }, typeof body === 'string' ? body : JSON.stringify(body))
  const refusals = { age_restricted: 403, muted: 403, too_many_requests: 429, not_found: 404, conflict: 409 }
  for (const [code, status] of Object.entries(refusals)) expect(refusalOf(answerOf(status, { code, message: 'Why.' })), code).toBe('Why.')
  expect(refusalOf(answerOf(400, { code: 'invalid_input', message: 'Correct it.', fields: { title: 'Too long' } }))).toBeNull()
  expect(refusalOf(answerOf(400, { code: 'underage', message: 'Too young.' }))).toBeNull()
  expect(refusalOf(answerOf(503, { code: 'unavailable', message: 'Busy.' }))).toBeNull()
  expect(refusalOf(answerOf(413, '<html>Request Entity Too Large</html>'))).toBeNull()
  expect(refusalOf(new TypeError('fetch failed'))).toBeNull()
})

const createForm = () => ({ setError: vi.fn(), setFocus: vi.fn() })

test('focuses the page’s first invalid field, regardless of the order in the response', () => {
  const form = createForm()
  const error = answer({ code: 'invalid_input', message: 'x', fields: { password: 'p', email: 'e' } })
  expect(showServerErrors(form, error, ['firstName', 'email', 'password'])).toBeNull()
  expect(form.setError.mock.calls.map(([field]) => field)).toEqual(['email', 'password'])
  expect(form.setFocus).toHaveBeenCalledExactlyOnceWith('email')
})

test('returns the errors of fields that the form doesn’t have, even if it marked others', () => {
  const fields = { email: 'e', 'tags.0': 'At most 30 characters', 'tags.2': 'At most 30 characters', mediaIds: 'Not yours' }
  const error = answer({ code: 'invalid_input', message: 'Correct the marked fields.', fields })
  expect(showServerErrors(createForm(), error, ['email'])).toBe('At most 30 characters · Not yours')
  expect(otherErrors(error, ['email', 'tags.0', 'tags.2'])).toBe('Not yours')
  expect(otherErrors(error, Object.keys(fields))).toBeNull()
})

test('splits an error into the messages of a form’s fields and the rest', () => {
  const late = answer({ code: 'invalid_input', message: 'Correct the marked fields.', fields: { expiresOn: 'This day has passed' } })
  expect(splitErrors(late, ['documentId'])).toEqual({ marked: {}, rest: 'This day has passed' })
  expect(splitErrors(late, ['expiresOn'])).toEqual({ marked: { expiresOn: 'This day has passed' }, rest: null })
  expect(splitErrors(answer({ code: 'conflict', message: 'Already claimed.' }), ['email'])).toEqual({
    marked: {},
    rest: 'Already claimed.',
  })
})

test('returns the message of an error that concerns no field', () => {
  const form = createForm()
  expect(showServerErrors(form, answer({ code: 'too_many_requests', message: 'Wait.' }), ['email'])).toBe('Wait.')
  expect(otherErrors(new TypeError('fetch failed'), ['email'])).toBeNull()
  expect(form.setFocus).not.toHaveBeenCalled()
})

test('opens a collapsed part of a form for an error in it only', () => {
  const part = { open: false }
  openIfWrong(part, ['goals', 'plantLimit'], { huntName: { message: 'Hunt name is required' } })
  expect(part.open).toBe(false)
  openIfWrong(part, ['goals', 'plantLimit'], { plantLimit: { message: 'Must be a whole number' } })
  expect(part.open).toBe(true)
  openIfWrong(part, ['goals', 'plantLimit'], {})
  expect(part.open).toBe(true)
})

test('finds the form’s fields under their names in the call', () => {
  const form = createForm()
  const error = answer({
    code: 'invalid_input',
    message: 'x',
    fields: { 'changes.0.name': 'Too long', 'changes.0.pictureUrl': 'Not found' },
  })
  expect(showServerErrors(form, error, ['brand', 'name'], (field) => `changes.0.${field}`)).toBe('Not found')
  expect(form.setError).toHaveBeenCalledExactlyOnceWith('name', { type: 'server', message: 'Too long' })
  expect(form.setFocus).toHaveBeenCalledExactlyOnceWith('name')
})
