import { readFileSync } from 'node:fs'
import type { Business } from '#contracts/businesses.ts'

export type Jurisdiction = { country: string | null; state: string | null }

export type ProductAge = Business['productAge']

type Entry = ProductAge & {
  country: string
  state: string | null
  name: string
  compiled: string
  /** Omitted if it's unknown whether prices may be advertised. */
  prices?: { mayAdvertise: boolean; rule: string; source: string; compiled: string }
}

const file = new URL('../../../data/jurisdictions.json', import.meta.url)
const { jurisdictions } = JSON.parse(readFileSync(file, 'utf8')) as { jurisdictions: Entry[] }

const keyOf = ({ country, state }: Jurisdiction) => `${country} ${state ?? ''}`
const ages = new Map<string, ProductAge>(
  jurisdictions.map((entry) => [
    keyOf(entry),
    { minimumAge: entry.minimumAge, rule: `${entry.name}: ${entry.rule}.`, source: `${entry.source} (our table of ${entry.compiled})` },
  ]),
)

/** If the law of a place is unknown, the strictest age in the table applies. */
const unknownPlace: ProductAge = {
  minimumAge: Math.max(...jurisdictions.map((entry) => entry.minimumAge)),
  rule: 'The law for this place isn’t in our table, so the strictest age applies.',
  source: 'No source',
}

export function productAgeOf(place: Jurisdiction): ProductAge {
  if (place.country === null) return unknownPlace
  return ages.get(keyOf(place)) ?? ages.get(keyOf({ country: place.country, state: null })) ?? unknownPlace
}

/** A viewer of unknown age (`null`) may see no products. */
export const maySeeProducts = (age: number | null, place: Jurisdiction): boolean => age !== null && age >= productAgeOf(place).minimumAge

/** The rule of `maySeeProducts` as data for queries: see server/features/posts/visible-posts.ts. */
export type OpenPlaces = {
  /** The viewer meets the strictest age: every place is open, including those with unknown law. */
  everywhere: boolean
  /** Places in the table that are open or closed at this age: `US CO`, or `DE ` for a whole country. */
  open: string[]
  closed: string[]
}

/** Where a viewer of this age may see promotions and products. An unknown age (`null`) opens no place. */
export function openPlacesFor(age: number | null): OpenPlaces {
  // The lists would go unused, and they are sent with every query.
  if (age !== null && age >= unknownPlace.minimumAge) return { everywhere: true, open: [], closed: [] }
  const isOpen = (entry: Entry) => age !== null && age >= entry.minimumAge
  return {
    everywhere: false,
    open: jurisdictions.filter(isOpen).map(keyOf),
    closed: jurisdictions.filter((entry) => !isOpen(entry)).map(keyOf),
  }
}

/**
 * Jurisdictions where the table says that prices may be advertised, in the form `US CO`. Elsewhere, sale prices appear on a business's own
 * menu, but nothing presents them as deals.
 */
export const placesWithDeals: readonly string[] = jurisdictions.filter(({ prices }) => prices?.mayAdvertise).map(keyOf)

export const mayAdvertisePrices = (place: Jurisdiction): boolean => placesWithDeals.includes(keyOf(place))
