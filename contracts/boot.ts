import type { CurrentUser } from './accounts.ts'
import type { Brand } from './brand.ts'
import type { Business } from './businesses.ts'

/** The JSON block with the ID `boot` in every page that starts the web app. */
export type Boot = {
  brand: Brand
  user: CurrentUser | null
  isProduction: boolean
  /** ISO 3166-1 country for formatting dates and numbers, from the person's settings or the browser's language. */
  region: string
  /** Name of the OpenID provider, if sign-in uses one. */
  openIdName: string | null
  map: { tileUrl: string | null; pmtilesUrl: string | null }
  /** For a visitor at a business's address: what the sign-in screen says about it. */
  askedFor: Pick<
    Business,
    'slug' | 'name' | 'type' | 'location' | 'averageRating' | 'totalRatings' | 'openNow' | 'timeZone' | 'isClaimed' | 'isDemo'
  > | null
  /** Responses to the page's first calls by URL. `next` is the URL of the next page. */
  answers: { url: string; body: unknown; next: string | null }[]
}
