import { expect, test } from 'vitest'
import { newId } from '#server/kernel/ids.ts'
import { codeOf, isCodeOf } from './enter-code.ts'

const secret = 'a secret for tests that is long enough'
const claim = { id: newId(), code_number: 1, email: 'ann@example.com', phone: null }

test('returns the same six digits for the same claim', () => {
  expect(codeOf(secret, claim)).toMatch(/^\d{6}$/)
  expect(codeOf(secret, { ...claim })).toBe(codeOf(secret, claim))
  expect(isCodeOf(secret, claim, codeOf(secret, claim))).toBe(true)
})

test('returns a different code for each claim, number, address, or secret', () => {
  const others = [
    codeOf(secret, { ...claim, id: newId() }),
    codeOf(secret, { ...claim, code_number: 2 }),
    codeOf(secret, { ...claim, email: 'bob@example.com' }),
    codeOf(secret, { ...claim, email: null, phone: 'ann@example.com' }),
    codeOf(`${secret}!`, claim),
  ]
  expect(new Set([...others, codeOf(secret, claim)]).size).toBe(6)
})

test('rejects anything but six digits', () => {
  const code = codeOf(secret, claim)
  for (const guess of ['', '0', `${code}0`, code.slice(1), ` ${code}`, '１２３４５６']) expect(isCodeOf(secret, claim, guess)).toBe(false)
})

test('spreads codes over the whole range', () => {
  const tenths = new Array<number>(10).fill(0)
  for (let number = 1; number <= 5000; number++) {
    const tenth = Math.floor(Number(codeOf(secret, { ...claim, code_number: number })) / 100_000)
    tenths[tenth] = (tenths[tenth] ?? 0) + 1
  }
  for (const count of tenths) expect(count).toBeGreaterThan(400)
})
