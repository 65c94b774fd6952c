import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import * as contract from '#contracts/search.endpoints.ts'
import { strainPath } from '#contracts/visitor-pages.ts'
import { foldText } from '#server/kernel/fold-text.ts'
import { nameSlug } from '#server/kernel/geo/place-names.ts'
import { type Api, route } from '#server/kernel/route.ts'

export function registerStrains(api: Api): void {
  route(api, contract.suggestStrains, async ({ query }) => suggestStrains(query.q, query.limit))
  route(api, contract.suggestBreeders, async ({ query }) => suggestBreeders(query.q, query.limit))
}

export type Strain = { name: string; type: string | null; breeder: string | null }
type Breeder = { name: string }

const file = new URL('../../../data/strains.csv', import.meta.url)
const types = new Set(['Hybrid', 'Indica', 'Sativa'])
let loaded: { strains: NameSearch<Strain>; breeders: NameSearch<Breeder> } | null = null

export function suggestStrains(text: string, limit: number): Strain[] {
  loaded ??= load()
  return searchNames(loaded.strains, text, limit)
}

export function allStrains(): readonly Strain[] {
  loaded ??= load()
  return loaded.strains.list
}

let slugs: ReadonlyMap<string, Strain[]> | null = null

/** Spellings that differ only in punctuation share a page: "B.C. Kush" and "BC Kush". */
export function strainsBySlug(): ReadonlyMap<string, Strain[]> {
  slugs ??= Map.groupBy(
    allStrains().filter(({ name }) => nameSlug(name) !== ''),
    ({ name }) => nameSlug(name),
  )
  return slugs
}

/**
 * The spellings of a strain that its page finds on menus, in lowercase: the list's, and the ones that differ from them only in punctuation
 * as people type it. An index finds each of them.
 */
export function menuSpellings(slug: string): ReadonlySet<string> {
  const words = slug.replaceAll('-', ' ')
  const listed = (strainsBySlug().get(slug) ?? []).map(({ name }) => name.toLowerCase())
  return new Set([...listed, slug, words, words.replace(/ (\d+)$/, ' #$1')])
}

type City = { city: string | null; state: string | null }

/**
 * The path of a strain's page, or null if the list doesn't have the strain. With `around`, the page shows shops near that city, so the
 * path is also null if the page wouldn't find this spelling on their menus.
 */
export function pathOfStrain(name: string, around?: City): string | null {
  const slug = nameSlug(name)
  if (!strainsBySlug().has(slug) || (around && !menuSpellings(slug).has(name.toLowerCase()))) return null
  const near = around?.city && around.state ? `?${new URLSearchParams({ near: `${around.city}, ${around.state}` })}` : ''
  return strainPath(slug) + near
}

export function suggestBreeders(text: string, limit: number): Breeder[] {
  loaded ??= load()
  return searchNames(loaded.breeders, text, limit)
}

function load() {
  const rows = parse(readFileSync(file), { columns: true, relax_column_count: true }) as Record<string, string>[]
  const strains = new Map<string, Strain>()
  const breeders = new Map<string, Breeder>()
  for (const { name = '', type = '', breeder: stated = '' } of rows) {
    const breeder = /^(unknown.*|)$/i.test(stated.trim()) ? null : stated.trim()
    addOnce(strains, name, { name: name.trim(), type: types.has(type) ? type : null, breeder })
    if (breeder !== null) addOnce(breeders, breeder, { name: breeder })
  }
  return { strains: createNameSearch(strains), breeders: createNameSearch(breeders) }
}

/** The first spelling wins. */
function addOnce<Item>(items: Map<string, Item>, name: string, item: Item): void {
  const key = nameKey(name)
  if (key !== '' && !items.has(key)) items.set(key, item)
}

/** All folded names in one string, separated by line breaks, so that a substring search finds them in order. */
type NameSearch<Item> = { list: readonly Item[]; haystack: string; starts: Int32Array }

export const nameKey = (name: string): string => foldText(name).replace(/\s+/g, ' ').trim()

export function createNameSearch<Item>(byKey: ReadonlyMap<string, Item>): NameSearch<Item> {
  const keys = [...byKey.keys()].sort()
  const starts = new Int32Array(keys.length)
  let position = 0
  keys.forEach((key, i) => {
    starts[i] = position
    position += key.length + 1
  })
  return { list: keys.map((key) => byKey.get(key) as Item), haystack: keys.map((key) => `\n${key}`).join(''), starts }
}

/** Names that start with the text, then those with a word that does, then those that contain it, each alphabetically. */
export function searchNames<Item>(search: NameSearch<Item>, text: string, limit: number): Item[] {
  const wanted = nameKey(text)
  if (wanted === '') return []
  const found = new Set<number>()
  for (const needle of [`\n${wanted}`, ` ${wanted}`, wanted]) {
    collect(search, needle, limit, found)
    if (found.size >= limit) break
  }
  return [...found].map((index) => search.list[index] as Item)
}

function collect({ haystack, starts }: NameSearch<unknown>, needle: string, limit: number, found: Set<number>): void {
  for (let at = haystack.indexOf(needle); at !== -1 && found.size < limit; at = haystack.indexOf(needle, at + 1)) {
    found.add(lineOf(starts, at))
  }
}

/** Index of the name at this position; a name's leading line break counts as part of it. */
function lineOf(starts: Int32Array, position: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] as number) <= position) low = middle
    else high = middle - 1
  }
  return low
}
