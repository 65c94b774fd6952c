import { describe, expect, test } from 'vitest'
import { AppError } from '#server/kernel/errors.ts'
import { processorMs } from '#tests/support/processor-time.ts'
import { requireStrongPassword, weaknessOf } from './password-strength.ts'

const hints = { email: 'ann.gardener@greenhouse.example', firstName: 'Ann Marie', lastName: 'Gardener', brandName: 'Sungrove' }

describe('weaknessOf', () => {
  test.each([
    ['password', 'tried first|common'],
    ['P@ssw0rd', 'common'],
    ['12345678', 'tried first|common'],
    ['iloveyou2', 'common'],
    ['sunshine2024', 'similar to a common'],
    ['qwertyuiop', 'tried first|common'],
    ['aaaaaaaaaaaa', 'Repeated characters'],
    ['abcd1234'.repeat(16), 'Repeated patterns'],
    ['11/21/1990', 'Dates'],
    ['sungrove1', 'name, your email address or our name'],
    ['Gardener1', 'name, your email address or our name'],
    ['Ann Gardener 1990', 'name, your email address or our name'],
    ['annmarie', 'name|common'],
    ['greenhouse', 'name, your email|common'],
    ['ann.gardener@greenhouse.example', 'name, your email address or our name'],
  ])('rates %s as weak', (password, reason) => {
    expect(weaknessOf(password, hints)).toMatch(new RegExp(reason))
    expect(weaknessOf(password, hints)).toContain('Three or four unrelated words')
  })

  test.each(["Ann's seven green terraces", 'seven green terraces at dawn', 'correct horse battery', 'k3x9Qv2p!', 'Ziegelstein-Wolke-7'])(
    'accepts %s',
    (password) => {
      expect(weaknessOf(password, hints)).toBeNull()
    },
  )

  test('rates a password differently for different people', () => {
    const password = 'Xochitl Tlaloc'
    expect(weaknessOf(password, hints)).toBeNull()
    expect(weaknessOf(password, { ...hints, firstName: 'Xochitl', lastName: 'Tlaloc' })).not.toBeNull()
  })

  test('rates the longest allowed password within two seconds', () => {
    const took = processorMs(() => {
      for (const part of ['aB1!', 'l33t5p34k!', 'p@ssword', '4']) weaknessOf(part.repeat(32).slice(0, 128), hints)
    })
    expect(took).toBeLessThan(2000)
  })
})

test('reports a weak password next to its field', () => {
  expect(() => requireStrongPassword('password', hints)).toThrow(AppError)
  try {
    requireStrongPassword('password', hints)
  } catch (error) {
    const { code, message, fields } = (error as AppError).toAnswer()
    expect({ code, status: (error as AppError).status, fields }).toEqual({
      code: 'weak_password',
      status: 400,
      fields: { password: message },
    })
  }
})
