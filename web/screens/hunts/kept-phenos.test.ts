import { expect, it } from 'vitest'
import { keptWords } from './kept-phenos.tsx'

const kept = { number: 7, startedOn: '2025-09-28', livingCopies: 3, motherCopies: [0, 2], lastCutOn: '2026-11-02' }

it('shows how old a keeper is, how many copies are alive, and when clones were last cut', () => {
  expect(keptWords(kept, '2026-11-28')).toBe('14 months old · 3 alive · Mothers: #7 and #7-2 · Last cut Nov 2, 2026')
  expect(keptWords({ ...kept, motherCopies: [2], lastCutOn: null }, '2026-11-28')).toBe(
    '14 months old · 3 alive · Mother: #7-2 · Never cut',
  )
  expect(keptWords({ ...kept, startedOn: null, motherCopies: [] }, '2026-11-28')).toBe('3 alive · Last cut Nov 2, 2026')
})

it.each([
  ['2026-11-28', '0 days old'],
  ['2026-11-27', '1 day old'],
  ['2026-11-01', '3 weeks old'],
  ['2026-08-28', '3 months old'],
  ['2023-11-01', '3 years old'],
  ['2026-12-01', '0 days old'],
])('shows the age since %s in a suitable unit', (startedOn, words) => {
  expect(keptWords({ ...kept, startedOn }, '2026-11-28')).toContain(words)
})
