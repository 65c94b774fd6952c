import { describe, expect, test } from 'vitest'
import { weaknessOf } from '#server/features/accounts/password-strength.ts'
import { ratePassword } from './password-judge.ts'
import { loadPasswordRater, ownWords } from './password-strength.ts'

const person = { firstName: 'Ann Marie', lastName: 'Gardener', email: 'ann.gardener@greenhouse.example' }
const words = ownWords(person, 'Sungrove')

const weak = [
  'password',
  'P@ssw0rd',
  'iloveyou12',
  'qwertyuiop',
  'aaaaaaaaaaaa',
  '12031990',
  'sungrove1',
  'Ann Gardener 1990',
  'greenhouse',
]
const strong = ['seven green terraces at dawn', 'correct horse battery', 'k3x9Qv2p!', 'vK9#mq2Lr!']

describe('password strength', () => {
  test.each(weak)('rates %s as too weak and gives a reason', (password) => {
    const strength = ratePassword(password, words)
    expect(strength.isEnough).toBe(false)
    expect(strength.score).toBeLessThan(2)
    expect(strength.hint).toMatch(/\.$/)
  })

  test.each(strong)('rates %s as strong enough', (password) => {
    expect(ratePassword(password, words).isEnough).toBe(true)
  })

  test.each([...weak, ...strong, 'margueriteoakhurst', 'sunshine2024', 'Summer2024!', 'gardener42', 'Gardenia-42-window', 'x'.repeat(128)])(
    'rates %s as the server does',
    (password) => {
      expect(ratePassword(password, words).isEnough).toBe(weaknessOf(password, { ...person, brandName: 'Sungrove' }) === null)
    },
  )

  test('reports a short password before anything else', () => {
    expect(ratePassword('k3x9Qv2', words)).toMatchObject({
      score: 0,
      isEnough: false,
      hint: expect.stringContaining('At least 8 characters'),
    })
  })

  test('has no hint for a strong password', () => {
    expect(ratePassword('seven green terraces at dawn', words)).toEqual({ score: 4, isEnough: true, hint: null })
  })
})

test('lists the name, the email, and its parts as personal words, each once, longest first', () => {
  expect(ownWords({ firstName: ' Ann ', lastName: 'Li', email: 'Ann.Green@example.com' }, 'Sungrove')).toEqual([
    'ann.green@example.com',
    'sungrove',
    'example',
    'green',
    'ann',
    'com',
  ])
})

test('loads the password estimator only once', async () => {
  expect(await loadPasswordRater()).toBe(await loadPasswordRater())
})
