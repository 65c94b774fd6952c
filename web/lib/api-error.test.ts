import { expect, test } from 'vitest'
import { ApiError, messageOf } from './api-error.ts'

const response = (status: number, statusText = '') => ({ status, statusText, retryAfter: null })

test('has a message made of the status code, a colon, a space, and the body', () => {
  expect(new ApiError(response(404, 'Not Found'), '{"message":"No such post."}').message).toBe('404: {"message":"No such post."}')
  expect(new ApiError(response(502, 'Bad Gateway'), 'upstream is away').message).toBe('502: upstream is away')
})

test('ends its message with the status text if there is no body', () => {
  expect(new ApiError(response(503, 'Service Unavailable'), '').message).toBe('503: Service Unavailable')
})

test('shows people only the response’s message, or the status text if it has none', () => {
  expect(messageOf(new ApiError(response(404), '{"message":"No such post.","code":"not_found"}'))).toBe('No such post.')
  expect(messageOf(new ApiError(response(502, 'Bad Gateway'), '<html>'))).toBe('Bad Gateway')
  expect(messageOf(new TypeError('Failed to fetch'))).toMatch(/^No connection/)
})
