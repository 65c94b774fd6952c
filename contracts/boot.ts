import type { CurrentUser } from './accounts.ts'
import type { Brand } from './brand.ts'

/** The JSON block with the id `boot` in every page that the server sends. */
export type Boot = {
  brand: Brand
  user: CurrentUser | null
  isProduction: boolean
  /** When the server drew the page's HTML, in milliseconds, so that the app begins with the same "now". Null without HTML. */
  now: number | null
  /** ISO 3166-1, by the person's choice or the browser's language: how dates and numbers are written. */
  region: string
  /** The name of the OpenID provider, when signing in goes through one. */
  openIdName: string | null
  map: { tileUrl: string | null; pmtilesUrl: string | null }
  /** Answers to the first calls that this page will make, by their address. `next` is the address of the next page. */
  answers: { url: string; body: unknown; next: string | null }[]
}
