import { expect, test } from 'vitest'
import { isSection, sectionAt, sections } from './sections.ts'

test('the sections have the order that was agreed, and an anchor each', () => {
  expect(sections.map(({ id }) => id)).toEqual([
    'profile',
    'account',
    'privacy',
    'notifications',
    'units',
    'sign-in',
    'data',
    'install',
    'support',
  ])
  expect([isSection('data'), isSection('nothing'), isSection('')]).toEqual([true, false, false])
})

test('the section that is read is the last one above the reading line', () => {
  expect(sectionAt([200, 900, 1400], 300, false)).toBe(0)
  expect(sectionAt([-700, 299, 800], 300, false)).toBe(1)
  expect(sectionAt([-1200, -300, 300], 300, false)).toBe(2)
})

test('before the first section it is the first, and at the end of the page the last, however short it is', () => {
  expect(sectionAt([500, 900, 1400], 300, false)).toBe(0)
  expect(sectionAt([-1200, -300, 700], 300, true)).toBe(2)
})
