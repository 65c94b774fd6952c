import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { createNameSearch, type NameSearch, nameKey, searchNames } from './name-search.ts'

export type Strain = { name: string; type: string | null; breeder: string | null }
export type Breeder = { name: string }

const file = new URL('../../../data/strains.csv', import.meta.url)
const types = new Set(['Hybrid', 'Indica', 'Sativa'])
let loaded: { strains: NameSearch<Strain>; breeders: NameSearch<Breeder> } | null = null

/** Strains whose name begins with a text, then those with a word that does, then those that hold it, each by name. */
export function suggestStrains(text: string, limit: number): Strain[] {
  loaded ??= load()
  return searchNames(loaded.strains, text, limit)
}

/** Each once, by name. */
export function allStrains(): readonly Strain[] {
  loaded ??= load()
  return loaded.strains.list
}

/** Breeders of the strain list, in the same order. */
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

/** The first way of writing a name is kept. */
function addOnce<Item>(items: Map<string, Item>, name: string, item: Item): void {
  const key = nameKey(name)
  if (key !== '' && !items.has(key)) items.set(key, item)
}
