import { Compass } from 'lucide-react'
import { expect, test } from 'vitest'
import type { SearchHit } from '../../../contracts/search.ts'
import type { Command } from './commands.ts'
import { activeIndex, enteredRow, type PaletteGroup, paletteGroups } from './palette-rows.ts'

const hit = (kind: SearchHit['kind'], title: string): SearchHit => ({
  kind,
  id: title,
  title,
  subtitle: null,
  snippet: null,
  path: `/${title}`,
  imageUrl: null,
  businessType: null,
  location: null,
  rating: null,
  distanceMiles: null,
  createdAt: null,
  isDemo: false,
  isAlike: false,
  matched: [],
})
const command = (label: string): Command => ({ label, Icon: Compass, link: { to: `/${label}` } })
const commands = [command('Home'), command('Messages'), command('Create Post'), command('Settings')]

const hits = [hit('strain', 'Mesa Haze'), hit('business', 'Mesa Farm'), hit('strain', 'Mesa Kush')]
const shown = (groups: readonly PaletteGroup[]) => groups.map(({ label, rows }) => `${label}: ${rows.map(({ key }) => key).join(', ')}`)

test('an empty field shows what was searched for lately and where one can go', () => {
  expect(shown(paletteGroups({ text: '', hits, recent: ['og', 'soil'], commands, enter: 'hit' }))).toEqual([
    'Recent searches: recent og, recent soil, clear',
    'Go to: go Home, go Messages, go Create Post, go Settings',
  ])
  expect(shown(paletteGroups({ text: '', hits, recent: [], commands: [], enter: 'hit', isSlashKeyOn: true }))).toEqual(['Keys: slash'])
})

test('a page that begins with the text stands first, then the kinds in the order of their best hits, then other ways', () => {
  expect(shown(paletteGroups({ text: 'mes', hits, recent: ['og'], commands, enter: 'hit' }))).toEqual([
    'Go to: go Messages',
    'Strains: strain Mesa Haze, strain Mesa Kush',
    'Businesses: business Mesa Farm',
    'Search: everything, places',
  ])
  // By another word of its name, or by a word that means it, it stands after what was found.
  expect(shown(paletteGroups({ text: 'post', hits, recent: [], commands, enter: 'hit' })).at(-2)).toBe('More pages: go Create Post')
  expect(shown(paletteGroups({ text: 'inbox', hits: [], recent: [], commands, enter: 'hit' }))).toEqual([
    'More pages: go Messages',
    'Search: everything, places',
  ])
})

test('in the place of the header search, Enter goes to Discover', () => {
  const groups = paletteGroups({ text: 'mes', hits, recent: [], commands, enter: 'places' })
  expect(shown(groups)[0]).toBe('Search: places, everything')
  expect(groups.at(-1)?.label).toBe('Go to')
})

test('the mark is on the first row until it is moved, and goes back when its row is gone', () => {
  const rows = paletteGroups({ text: 'mesa', hits, recent: [], commands, enter: 'hit' }).flatMap((group) => group.rows)
  expect(activeIndex(rows, null)).toBe(0)
  expect(activeIndex(rows, { key: 'business Mesa Farm' })).toBe(2)
  expect(activeIndex(rows, { key: 'gone' })).toBe(0)
  expect(activeIndex([], null)).toBe(-1)
})

test('Enter never opens a hit of an earlier text that nobody chose', () => {
  const rows = paletteGroups({ text: 'mesa', hits, recent: [], commands, enter: 'hit' }).flatMap((group) => group.rows)
  expect(enteredRow(rows, null, true)?.key).toBe('strain Mesa Haze')
  expect(enteredRow(rows, null, false)?.key).toBe('everything')
  expect(enteredRow(rows, { key: 'business Mesa Farm' }, false)?.key).toBe('business Mesa Farm')
  // A page needs no answer.
  const pages = paletteGroups({ text: 'messages', hits: [], recent: [], commands, enter: 'hit' }).flatMap((group) => group.rows)
  expect(enteredRow(pages, null, false)?.key).toBe('go Messages')
})
