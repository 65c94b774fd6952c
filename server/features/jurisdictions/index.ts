import { readFileSync } from 'node:fs'
import type { Business } from '../../../contracts/businesses.ts'

/** Where a business stands, as far as it is known. */
export type Jurisdiction = { country: string | null; state: string | null }

export type ProductAge = Business['productAge']

type Entry = ProductAge & { country: string; state: string | null; name: string; compiled: string }

const file = new URL('../../../data/jurisdictions.json', import.meta.url)
const { jurisdictions } = JSON.parse(readFileSync(file, 'utf8')) as { jurisdictions: Entry[] }

const keyOf = ({ country, state }: Jurisdiction) => `${country} ${state ?? ''}`
const ages = new Map<string, ProductAge>(
  jurisdictions.map((entry) => [
    keyOf(entry),
    { minimumAge: entry.minimumAge, rule: `${entry.name}: ${entry.rule}.`, source: `${entry.source} (our table of ${entry.compiled})` },
  ]),
)

/** The strictest age of the table, wherever the law of the place is not known. */
const unknownPlace: ProductAge = {
  minimumAge: Math.max(...jurisdictions.map((entry) => entry.minimumAge)),
  rule: 'The law of this place is not in our table, so the strictest age applies.',
  source: 'No source',
}

/** From which age the products and promotions of a business may be shown. */
export function productAgeOf(place: Jurisdiction): ProductAge {
  if (place.country === null) return unknownPlace
  return ages.get(keyOf(place)) ?? ages.get(keyOf({ country: place.country, state: null })) ?? unknownPlace
}

/** Products and promotions of a business. An unknown age (`null`) sees none. */
export const maySeeProducts = (age: number | null, place: Jurisdiction): boolean => age !== null && age >= productAgeOf(place).minimumAge

/** The same rule in a form that a query can hold against the place of each row: see server/features/posts/visible-posts.ts. */
export type OpenPlaces = {
  /** Of the strictest age or older: every place, those included whose law is not known. */
  everywhere: boolean
  /** `US CO`, and `DE ` for a whole country: the places of our table that are open to this age, and those that are not. */
  open: string[]
  closed: string[]
}

/** Where promotions and products may be shown to somebody of this age. An unknown age (`null`) opens no place. */
export function openPlacesFor(age: number | null): OpenPlaces {
  // Nobody looks at the lists of somebody who may see all, and they go along with every query.
  if (age !== null && age >= unknownPlace.minimumAge) return { everywhere: true, open: [], closed: [] }
  const isOpen = (entry: Entry) => age !== null && age >= entry.minimumAge
  return {
    everywhere: false,
    open: jurisdictions.filter(isOpen).map(keyOf),
    closed: jurisdictions.filter((entry) => !isOpen(entry)).map(keyOf),
  }
}
