import type { CurrentUser } from './accounts.ts'
import type { Brand } from './brand.ts'
import type { Business } from './businesses.ts'

/** The JSON in `<script id="boot">` on every page that starts the web app. */
export type Boot = {
  brand: Brand
  user: CurrentUser | null
  isProduction: boolean
  /** ISO 3166-1 country for formatting dates and numbers, from the person's settings or the browser's language. */
  region: string
  openIdName: string | null
  map: { tileUrl: string | null; pmtilesUrl: string | null }
  /** The business whose URL a visitor opened, for the sign-in screen. */
  askedFor: Pick<
    Business,
    'slug' | 'name' | 'type' | 'location' | 'averageRating' | 'totalRatings' | 'openNow' | 'timeZone' | 'isClaimed' | 'isDemo'
  > | null
  /** Responses to the page's first calls by URL. `next` is the URL of the next page. */
  answers: { url: string; body: unknown; next: string | null }[]
}
