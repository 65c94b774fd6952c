import { describe, expect, test } from 'vitest'
import { judgePassword } from './password-judge.ts'
import { loadPasswordJudge, ownWords } from './password-strength.ts'

const words = ownWords({ firstName: 'Marguerite', lastName: 'Oakhurst', email: 'marguerite.oakhurst@example.com' }, 'Sungrove')

describe('the strength of a password', () => {
  test.each(['password', 'Password1', 'iloveyou12', 'qwertyuiop', 'abcdefgh', 'aaaaaaaaaaaa', '12031990', 'short7!'])(
    '%s is not enough',
    (password) => {
      const strength = judgePassword(password, words)
      expect(strength.isEnough).toBe(false)
      expect(strength.score).toBeLessThan(2)
      expect(strength.hint).toMatch(/\.$/)
    },
  )

  test.each(['quiet-garden-lamp', 'correcthorsebattery', 'vK9#mq2Lr!'])('%s is enough', (password) => {
    expect(judgePassword(password, words)).toMatchObject({ isEnough: true })
  })

  test("one's own name is easy to guess for those who know it", () => {
    expect(judgePassword('margueriteoakhurst', []).isEnough).toBe(true)
    expect(judgePassword('margueriteoakhurst', words).isEnough).toBe(false)
  })

  test('a strong password needs no hint', () => {
    expect(judgePassword('quiet-garden-lamp-91', words)).toEqual({ score: 4, isEnough: true, hint: null })
  })
})

test('own words are the name, the address and the pieces of it, each once', () => {
  expect(ownWords({ firstName: ' Ann ', lastName: 'Li', email: 'Ann.Green@example.com' }, 'Sungrove')).toEqual([
    'ann',
    'ann.green@example.com',
    'ann.green',
    'green',
    'sungrove',
  ])
})

test('the estimator loads once', async () => {
  expect(await loadPasswordJudge()).toBe(await loadPasswordJudge())
})
