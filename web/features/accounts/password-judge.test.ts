import { describe, expect, test } from 'vitest'
import { weaknessOf } from '../../../server/features/accounts/password-strength.ts'
import { judgePassword } from './password-judge.ts'
import { loadPasswordJudge, ownWords } from './password-strength.ts'

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

describe('the strength of a password', () => {
  test.each(weak)('%s is not enough, and the meter says why', (password) => {
    const strength = judgePassword(password, words)
    expect(strength.isEnough).toBe(false)
    expect(strength.score).toBeLessThan(2)
    expect(strength.hint).toMatch(/\.$/)
  })

  test.each(strong)('%s is enough', (password) => {
    expect(judgePassword(password, words).isEnough).toBe(true)
  })

  test.each([...weak, ...strong, 'margueriteoakhurst', 'sunshine2024', 'Summer2024!', 'gardener42', 'Gardenia-42-window', 'x'.repeat(128)])(
    'the server judges %s alike',
    (password) => {
      expect(judgePassword(password, words).isEnough).toBe(weaknessOf(password, { ...person, brandName: 'Sungrove' }) === null)
    },
  )

  test('too short is told before anything else', () => {
    expect(judgePassword('k3x9Qv2', words)).toMatchObject({
      score: 0,
      isEnough: false,
      hint: expect.stringContaining('At least 8 characters'),
    })
  })

  test('a strong password needs no hint', () => {
    expect(judgePassword('seven green terraces at dawn', words)).toEqual({ score: 4, isEnough: true, hint: null })
  })
})

test('own words are the name, the address and the pieces of it, each once, the longest first', () => {
  expect(ownWords({ firstName: ' Ann ', lastName: 'Li', email: 'Ann.Green@example.com' }, 'Sungrove')).toEqual([
    'ann.green@example.com',
    'sungrove',
    'example',
    'green',
    'ann',
    'com',
  ])
})

test('the estimator loads once', async () => {
  expect(await loadPasswordJudge()).toBe(await loadPasswordJudge())
})
