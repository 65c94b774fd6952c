import { expect, test } from 'vitest'
import { excerptAround, markWords } from './inbox-pane.tsx'

test('begins an excerpt slightly before the match', () => {
  expect(excerptAround('Two jars\nare ready', 'ready')).toBe('Two jars are ready')
  expect(excerptAround('Hello Ann, I read your log about the rows', 'the')).toBe('Hello Ann, I read your log about the rows')
  const long = `${'The first week was slow and wet. '.repeat(4)}Then the terpenes came.`
  expect(excerptAround(long, 'TERPENES')).toMatch(/^….{20,45}terpenes came\.$/)
  expect(excerptAround(long, 'nowhere')).toBe(long)
})

test('marks every match of the words, preferring longer words', () => {
  expect(markWords('Jar, jars', 'jar jars')).toEqual([
    { text: 'Jar', isMarked: true },
    { text: ', ', isMarked: false },
    { text: 'jars', isMarked: true },
  ])
  expect(markWords('a (b) c', '(b)')[1]).toEqual({ text: '(b)', isMarked: true })
  expect(markWords('as it is', '')).toEqual([{ text: 'as it is', isMarked: false }])
})
