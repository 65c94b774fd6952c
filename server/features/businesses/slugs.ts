import slugify from '@sindresorhus/slugify'
import { isUuid } from '../../../contracts/ids.ts'

const maxLength = 100
/** Taken by routes of the API (`/api/businesses/map`) and of the web app (`/business/register`). */
const reserved = new Set(['map', 'register'])

/** Name and city in plain ASCII. The first of its kind is called so; the next ones are numbered from 2. */
export function slugBase(name: string, city: string | null): string {
  const slug = slugify(city ? `${name} ${city}` : name, { decamelize: false })
    .slice(0, maxLength)
    .replace(/-$/, '')
  if (slug === '') return 'business'
  // An address is an id or a slug: one may not look like the other.
  return reserved.has(slug) || isUuid(slug) ? `${slug}-business` : slug
}

export const numberedSlug = (base: string, number: number): string => (number === 1 ? base : `${base}-${number}`)
