import { expect, test } from 'vitest'
import { splitLinks } from './split-links.ts'

const links = (text: string) => splitLinks(text).flatMap(({ href }) => href ?? [])

test('text without an address is one part', () => {
  expect(splitLinks('Harvest at 9.\nCome by')).toEqual([{ text: 'Harvest at 9.\nCome by', href: null }])
  expect(splitLinks('')).toEqual([])
})

test('an address in a sentence becomes a link without the marks around it', () => {
  expect(splitLinks('See https://farm.example/menu, or (http://farm.example/a?b=c#d).')).toEqual([
    { text: 'See ', href: null },
    { text: 'https://farm.example/menu', href: 'https://farm.example/menu' },
    { text: ', or (', href: null },
    { text: 'http://farm.example/a?b=c#d', href: 'http://farm.example/a?b=c#d' },
    { text: ').', href: null },
  ])
  expect(links('https://en.example/wiki/Hemp_(plant)!')).toEqual(['https://en.example/wiki/Hemp_(plant)'])
})

test('only web addresses that lead where they say', () => {
  expect(links('javascript:alert(1) data:text/html,x ftp://a.example https://user@evil.example https://localhost https://')).toEqual([])
})

test('the parts put together are the text', () => {
  for (const text of ['a https://x.example b', 'https://x.example', 'https://x.example.\nhttps://y.example', '<b>https://x.example</b>']) {
    const parts = splitLinks(text).map((part) => part.text)
    expect(parts.join('')).toBe(text)
  }
})
