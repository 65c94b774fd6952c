import { expect, it } from 'vitest'
import { correctionLines, nextWords, voteWords } from './correction-words.ts'

it('shows the new value line by line', () => {
  expect(correctionLines({ kind: 'closed' })).toEqual([])
  expect(correctionLines({ kind: 'moved', location: 'Boulder, CO', address: '' })).toEqual(['Boulder, CO'])
  const hours = Array.from({ length: 7 }, (_, day) => (day === 6 ? [] : [{ opens: 540, closes: 1260 }]))
  expect(correctionLines({ kind: 'hours', hours })).toEqual(['Monday – Saturday: 9 AM – 9 PM', 'Sunday: Closed'])
})

it('counts the people who agree and disagree', () => {
  expect(voteWords({ agreeCount: 0, disagreeCount: 0 })).toBeNull()
  expect(voteWords({ agreeCount: 1, disagreeCount: 0 })).toBe('1 person agrees')
  expect(voteWords({ agreeCount: 2, disagreeCount: 1 })).toBe('2 people agree, 1 disagrees')
  expect(voteWords({ agreeCount: 0, disagreeCount: 2 })).toBe('2 people disagree')
})

it('explains who decides next', () => {
  const open = { state: 'open', value: { kind: 'closed' }, disagreeCount: 0, isYours: true } as const
  expect(nextWords(open, true)).toBe('Its owner will decide. We’ll let you know.')
  expect(nextWords(open, false)).toBe('Someone else has to confirm it. We’ll let you know.')
  expect(nextWords({ ...open, state: 'applied' }, false)).toBe('The listing has been updated.')
  expect(nextWords({ ...open, value: { kind: 'duplicate', of: '' } }, true)).toContain('moderator will decide')
  // A dispute about an unclaimed listing.
  expect(nextWords({ ...open, disagreeCount: 1, isYours: false }, false)).toBe('A moderator will decide.')
})
