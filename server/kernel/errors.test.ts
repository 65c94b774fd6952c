import { expect, test } from 'vitest'
import { ErrorAnswer, errorStatus } from '#contracts/errors.ts'
import { AppError, invalidInput } from './errors.ts'

test('has a sentence and a declared response for every code', () => {
  for (const code of Object.keys(errorStatus) as (keyof typeof errorStatus)[]) {
    const error = new AppError(code)
    expect(ErrorAnswer.parse(error.toAnswer())).toEqual({ code, message: error.message })
    expect(error.message).toMatch(/^[A-Z].+\.$/)
    expect(error.status).toBe(errorStatus[code])
  }
})

test('names every invalid field with its first message', () => {
  const error = invalidInput([
    { path: ['email'], message: 'Email is required' },
    { path: ['email'], message: 'second' },
    { path: ['tags', 2], message: 'Too long' },
  ])
  expect(error.toAnswer().fields).toEqual({ email: 'Email is required', 'tags.2': 'Too long' })
})

test('uses a single field’s message as the overall message', () => {
  expect(invalidInput([{ path: ['title'], message: 'Title is required' }]).message).toBe('Title is required')
})
