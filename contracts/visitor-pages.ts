import type { Business } from './businesses.ts'
import type { Location } from './locations.ts'
import type { ProductCategory } from './menu-fields.ts'
import type { Product } from './menus.ts'

/** What the server knows of pages that everyone can read: it reads their data, and the web app's components render it as HTML. */
export type VisitorPage = {
  /** In milliseconds, in whole minutes, so that a page rendered once can be sent again. */
  now: number
  isSignedIn: boolean
  content: MenuContent | MissingContent
}

/** Apps that a link can open depend on it. */
export type Device = 'android' | 'iphone' | 'other'

export type MenuFilter = { q?: string | undefined; category?: ProductCategory | undefined; location?: string | undefined }

/** `/menu/{slug}`: a business and its menu. */
export type MenuContent = {
  kind: 'menu'
  business: Business
  /** Main location first. */
  locations: Location[]
  /** Null for viewers who aren't known to be old enough. */
  menu: {
    itemCount: number
    categories: { category: ProductCategory; itemCount: number }[]
    confirmedAt: string | null
    items: Product[]
    nextCursor: string | null
  } | null
  /** Whether the viewer's age is known from their account, so that a statement can't change it. */
  isAgeKnown: boolean
  filter: MenuFilter & { cursor?: string | undefined }
  device: Device
}

export type MissingContent = { kind: 'missing'; of: 'menu' }

/** The address of a menu with a filter. Parameters always come in one order. */
export function menuPath(slug: string, { q, category, location, cursor }: MenuContent['filter'] = {}): string {
  const given = Object.entries({ q, category, location, cursor }).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return `/menu/${slug}${given.length > 0 ? `?${new URLSearchParams(given)}` : ''}`
}
