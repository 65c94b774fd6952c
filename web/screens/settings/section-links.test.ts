import { expect, test } from 'vitest'
import { isSection, sectionAt, sections } from './section-links.tsx'

test('lists the sections in order, and recognizes only their IDs', () => {
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

test('treats the last section above the reading line as current', () => {
  expect(sectionAt([200, 900, 1400], 300, false)).toBe(0)
  expect(sectionAt([-700, 299, 800], 300, false)).toBe(1)
  expect(sectionAt([-1200, -300, 300], 300, false)).toBe(2)
})

test('treats the first section as current at the top of the page, and the last one, however short, at the end', () => {
  expect(sectionAt([500, 900, 1400], 300, false)).toBe(0)
  expect(sectionAt([-1200, -300, 700], 300, true)).toBe(2)
})
