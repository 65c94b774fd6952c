import slugify from '@sindresorhus/slugify'
import { isUuid } from '#contracts/addresses.ts'

const maxLength = 100
/** Used by routes of the API (`/api/businesses/map`) and of the web app (`/business/register`). */
const reserved = new Set(['map', 'register'])

/** Name and city in plain ASCII. The first business gets this slug; later ones are numbered from 2. */
export function slugBase(name: string, city: string | null): string {
  const slug = slugify(city ? `${name} ${city}` : name, { decamelize: false })
    .slice(0, maxLength)
    .replace(/-$/, '')
  if (slug === '') return 'business'
  // Paths accept an ID or a slug, so a slug must not look like an ID.
  return reserved.has(slug) || isUuid(slug) ? `${slug}-business` : slug
}

export const numberedSlug = (base: string, number: number): string => (number === 1 ? base : `${base}-${number}`)
