import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { foldText } from '../businesses/index.ts'

export type Strain = { name: string; type: string | null; breeder: string | null }

/** All names folded, each after a line break, so that one search of one string finds them in order. */
type Strains = { list: Strain[]; haystack: string; starts: Int32Array }

const file = new URL('../../../data/strains.csv', import.meta.url)
const types = new Set(['Hybrid', 'Indica', 'Sativa'])
let loaded: Strains | null = null

/** Strains whose name begins with a text, then those with a word that does, then those that hold it, each by name. */
export function suggestStrains(text: string, limit: number): Strain[] {
  loaded ??= load()
  const wanted = foldText(text).trim()
  if (wanted === '') return []
  const found = new Set<number>()
  for (const needle of [`\n${wanted}`, ` ${wanted}`, wanted]) {
    collect(loaded, needle, limit, found)
    if (found.size >= limit) break
  }
  return [...found].map((index) => (loaded as Strains).list[index] as Strain)
}

function collect({ haystack, starts }: Strains, needle: string, limit: number, found: Set<number>): void {
  for (let at = haystack.indexOf(needle); at !== -1 && found.size < limit; at = haystack.indexOf(needle, at + 1)) {
    found.add(lineOf(starts, at))
  }
}

/** Of the strain at this position (its line break belongs to it). */
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

function load(): Strains {
  const rows = parse(readFileSync(file), { columns: true, relax_column_count: true }) as Record<string, string>[]
  const byName = new Map<string, Strain>()
  for (const { name = '', type = '', breeder = '' } of rows) {
    const key = foldText(name).replace(/\s+/g, ' ').trim()
    if (key === '' || byName.has(key)) continue
    byName.set(key, {
      name: name.trim(),
      type: types.has(type) ? type : null,
      breeder: /^(unknown.*|)$/i.test(breeder.trim()) ? null : breeder.trim(),
    })
  }
  const keys = [...byName.keys()].sort()
  const starts = new Int32Array(keys.length)
  let position = 0
  keys.forEach((key, i) => {
    starts[i] = position
    position += key.length + 1
  })
  return { list: keys.map((key) => byName.get(key) as Strain), haystack: keys.map((key) => `\n${key}`).join(''), starts }
}
