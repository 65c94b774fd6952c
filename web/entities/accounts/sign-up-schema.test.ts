import { expect, test } from 'vitest'
import { easyToGuess } from './password-strength.ts'
import { type SignUpValues, signUpResolver } from './sign-up-schema.ts'

const ann = {
  firstName: ' Ann ',
  lastName: 'Green',
  email: 'Ann@Example.com',
  password: 'quiet-garden-lamp',
  birthday: '1990-04-02',
  accountType: 'consumer',
  businessType: '',
  licenseNumber: '',
} as const

const resolve = async (values: Partial<SignUpValues>) => {
  const result = await signUpResolver({ ...ann, ...values }, undefined, { fields: {}, shouldUseNativeValidation: false })
  const errors = Object.entries(result.errors).map(([field, error]) => [field, (error as { message: string }).message])
  return { values: result.values, errors: Object.fromEntries(errors) }
}

test('sends no business fields for a consumer, even if they are filled in', async () => {
  expect(await resolve({ businessType: 'farm', licenseNumber: 'C-1' })).toEqual({
    errors: {},
    values: {
      firstName: 'Ann',
      lastName: 'Green',
      email: 'ann@example.com',
      password: 'quiet-garden-lamp',
      birthday: '1990-04-02',
      accountType: 'consumer',
      businessType: null,
      licenseNumber: null,
    },
  })
})

test('requires a type for a business, with an optional license number', async () => {
  expect((await resolve({ accountType: 'business' })).errors).toEqual({ businessType: 'Choose a business type' })
  expect((await resolve({ accountType: 'business', businessType: 'farm', licenseNumber: ' ' })).values).toMatchObject({
    businessType: 'farm',
    licenseNumber: null,
  })
  expect((await resolve({ accountType: 'business', businessType: 'farm', licenseNumber: ' C-1 ' })).values).toMatchObject({
    licenseNumber: 'C-1',
  })
})

test('reports an empty password as required and a short one as too short', async () => {
  expect((await resolve({ password: '' })).errors).toEqual({ password: 'Password is required' })
  expect((await resolve({ password: 'short' })).errors).toEqual({ password: 'At least 8 characters' })
})

test('reports all errors at once', async () => {
  expect((await resolve({ firstName: ' ', lastName: '', email: '', password: 'short', birthday: '' })).errors).toEqual({
    firstName: 'First name is required',
    lastName: 'Last name is required',
    email: 'Email is required',
    password: 'At least 8 characters',
    birthday: 'Birthday is required',
  })
})

test('reports a weak password along with other errors', async () => {
  expect((await resolve({ password: 'sunshine1', lastName: '' })).errors).toEqual({
    lastName: 'Last name is required',
    password: easyToGuess,
  })
  expect((await resolve({ firstName: 'Marguerite', lastName: 'Oakhurst', password: 'margueriteoakhurst' })).errors).toEqual({
    password: easyToGuess,
  })
})
