import { Compass } from 'lucide-react'
import { expect, test } from 'vitest'
import type { SearchHit } from '#contracts/search.endpoints.ts'
import { activeIndex, type Command, commandsFor, enteredRow, type PaletteGroup, paletteGroups } from './palette-rows.ts'

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
  precision: null,
  createdAt: null,
  isDemo: false,
  isClosed: false,
  isAlike: false,
  matched: [],
})
const command = (label: string): Command => ({ label, Icon: Compass, link: { to: `/${label}` } })
const commands = [command('Home'), command('Messages'), command('Create Post'), command('Settings')]

const hits = [hit('strain', 'Mesa Haze'), hit('business', 'Mesa Farm'), hit('strain', 'Mesa Kush')]
const shown = (groups: readonly PaletteGroup[]) => groups.map(({ label, rows }) => `${label}: ${rows.map(({ key }) => key).join(', ')}`)

test('shows recent searches and destinations while the field is empty', () => {
  expect(shown(paletteGroups({ text: '', hits, recent: ['og', 'soil'], commands, enter: 'hit' }))).toEqual([
    'Recent searches: recent og, recent soil, clear',
    'Go to: go Home, go Messages, go Create Post, go Settings',
  ])
  expect(shown(paletteGroups({ text: '', hits, recent: [], commands: [], enter: 'hit', isSlashKeyOn: true }))).toEqual(['Shortcuts: slash'])
})

test('offers each page once', () => {
  const labels = commandsFor({ role: 'member' }).map(({ label }) => label)
  expect(labels.filter((label, i) => labels.indexOf(label) !== i)).toEqual([])
})

test('puts pages with the prefix first, then kinds by best match, then other destinations', () => {
  expect(shown(paletteGroups({ text: 'mes', hits, recent: ['og'], commands, enter: 'hit' }))).toEqual([
    'Go to: go Messages',
    'Strains: strain Mesa Haze, strain Mesa Kush',
    'Businesses: business Mesa Farm',
    'Search: everything, places',
  ])
  // Pages found by synonym or by a later word come after the hits.
  expect(shown(paletteGroups({ text: 'post', hits, recent: [], commands, enter: 'hit' })).at(-2)).toBe('More pages: go Create Post')
  expect(shown(paletteGroups({ text: 'inbox', hits: [], recent: [], commands, enter: 'hit' }))).toEqual([
    'More pages: go Messages',
    'Search: everything, places',
  ])
})

test('goes to Discover on Enter in the header search', () => {
  const groups = paletteGroups({ text: 'mes', hits, recent: [], commands, enter: 'places' })
  expect(shown(groups)[0]).toBe('Search: places, everything')
  expect(groups.at(-1)?.label).toBe('Go to')
})

test('selects the first row until the person moves, and again when the selected row disappears', () => {
  const rows = paletteGroups({ text: 'mesa', hits, recent: [], commands, enter: 'hit' }).flatMap((group) => group.rows)
  expect(activeIndex(rows, null)).toBe(0)
  expect(activeIndex(rows, { key: 'business Mesa Farm' })).toBe(2)
  expect(activeIndex(rows, { key: 'gone' })).toBe(0)
  expect(activeIndex([], null)).toBe(-1)
})

test('doesn’t open an unselected match for earlier text on Enter', () => {
  const rows = paletteGroups({ text: 'mesa', hits, recent: [], commands, enter: 'hit' }).flatMap((group) => group.rows)
  expect(enteredRow(rows, null, true)?.key).toBe('strain Mesa Haze')
  expect(enteredRow(rows, null, false)?.key).toBe('everything')
  expect(enteredRow(rows, { key: 'business Mesa Farm' }, false)?.key).toBe('business Mesa Farm')
  const pages = paletteGroups({ text: 'messages', hits: [], recent: [], commands, enter: 'hit' }).flatMap((group) => group.rows)
  expect(enteredRow(pages, null, false)?.key).toBe('go Messages')
})
