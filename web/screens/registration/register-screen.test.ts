import { expect, test } from 'vitest'
import { fieldsOf, isFilled, stepsFor, stepWith } from './register-screen.tsx'

const empty = {
  firstName: '',
  lastName: '',
  email: '',
  password: '',
  birthday: '',
  accountType: 'consumer',
  businessType: '',
  licenseNumber: '',
} as const
const person = { ...empty, firstName: 'Ann', lastName: 'Green', email: 'ann@example.com', password: ' ' }

test('has three steps for a person and four for a business', () => {
  expect(stepsFor('consumer')).toEqual(['account-type', 'birthday', 'basic-info'])
  expect(stepsFor('business')).toEqual(['account-type', 'birthday', 'basic-info', 'business-info'])
})

test('blocks a step until it is complete', () => {
  expect(isFilled('account-type', empty)).toBe(true)
  expect(isFilled('birthday', empty)).toBe(false)
  expect(isFilled('birthday', { ...empty, birthday: '1990-04-02' })).toBe(true)
  expect(isFilled('basic-info', person)).toBe(true)
  for (const field of ['firstName', 'lastName', 'email', 'password'] as const) {
    expect(isFilled('basic-info', { ...person, [field]: '' }), field).toBe(false)
  }
  expect(isFilled('basic-info', { ...person, firstName: '  ' })).toBe(false)
  expect(isFilled('business-info', person)).toBe(false)
  expect(isFilled('business-info', { ...person, businessType: 'farm' })).toBe(true)
})

test('assigns every field to one step', () => {
  expect(Object.values(fieldsOf).flat().sort()).toEqual(Object.keys(empty).sort())
})

test('shows a refusal at the first step with a refused field', () => {
  const steps = stepsFor('business')
  expect(stepWith(['email', 'birthday'], steps)).toBe('birthday')
  expect(stepWith(['licenseNumber'], steps)).toBe('business-info')
  expect(stepWith(['licenseNumber'], stepsFor('consumer'))).toBeUndefined()
  expect(stepWith([], steps)).toBeUndefined()
})
