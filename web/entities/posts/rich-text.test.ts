import { expect, test } from 'vitest'
import { foldText, splitLinks } from './rich-text.tsx'

test('shows a short text in full', () => {
  expect(foldText('Fresh clones on Friday.')).toBeNull()
  expect(foldText('word '.repeat(110))).toBeNull()
})

test('cuts a long text at a word boundary', () => {
  const folded = foldText('flowering '.repeat(100)) as string
  expect(folded).toMatch(/flowering …$/)
  expect(folded.length).toBeLessThan(390)
})

test('folds many short lines', () => {
  const folded = foldText(Array.from({ length: 30 }, (_, line) => `Day ${line}`).join('\n')) as string
  expect(folded.split('\n')).toHaveLength(7)
  expect(folded.endsWith('Day 6 …')).toBe(true)
})

test('cuts text without spaces but never within a character', () => {
  const folded = foldText(`x${'🌱'.repeat(400)}`) as string
  expect(folded).toMatch(/🌱 …$/u)
  expect(folded.isWellFormed()).toBe(true)
})

const links = (text: string) => splitLinks(text).flatMap(({ href }) => href ?? [])

test('returns text without an address as one part', () => {
  expect(splitLinks('Harvest at 9.\nCome by')).toEqual([{ text: 'Harvest at 9.\nCome by', href: null }])
  expect(splitLinks('')).toEqual([])
})

test('links an address in a sentence without surrounding punctuation', () => {
  expect(splitLinks('See https://farm.example/menu, or (http://farm.example/a?b=c#d).')).toEqual([
    { text: 'See ', href: null },
    { text: 'https://farm.example/menu', href: 'https://farm.example/menu' },
    { text: ', or (', href: null },
    { text: 'http://farm.example/a?b=c#d', href: 'http://farm.example/a?b=c#d' },
    { text: ').', href: null },
  ])
  expect(links('https://en.example/wiki/Hemp_(plant)!')).toEqual(['https://en.example/wiki/Hemp_(plant)'])
})

test('doesn’t link other schemes, URLs with a username, or local hosts', () => {
  expect(links('javascript:alert(1) data:text/html,x ftp://a.example https://user@evil.example https://localhost https://')).toEqual([])
})

test('returns parts that join to the original text', () => {
  for (const text of ['a https://x.example b', 'https://x.example', 'https://x.example.\nhttps://y.example', '<b>https://x.example</b>']) {
    const parts = splitLinks(text).map((part) => part.text)
    expect(parts.join('')).toBe(text)
  }
})
