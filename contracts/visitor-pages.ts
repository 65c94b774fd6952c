import type { BusinessType } from './business-types.ts'
import type { Business, BusinessSummary } from './businesses.ts'
import type { Location } from './locations.ts'
import type { MenuSort } from './menu-fields.rules.ts'
import type { ProductCategory, StrainType } from './menu-fields.ts'
import type { Product } from './menus.ts'
import type { PageExtras } from './page-extras.ts'

/** The data of a page that everyone can read. The server reads it, and the web app's components render it as HTML. */
export type VisitorPage = {
  /** In milliseconds, in whole minutes, so that a page rendered once can be sent again. */
  now: number
  isSignedIn: boolean
  content:
    | MenuContent
    | ItemContent
    | PlacesContent
    | StateContent
    | CityContent
    | StrainContent
    | StartContent
    | LandingContent
    | MissingContent
}

/** Decides which apps a link can open. */
export type Device = 'android' | 'iphone' | 'other'

export type MenuFilter = {
  q?: string | undefined
  category?: ProductCategory | undefined
  strainType?: StrainType | undefined
  inStock?: true | undefined
  onSale?: true | undefined
  location?: string | undefined
  sort?: MenuSort | undefined
}

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
    strainTypes: { strainType: StrainType; itemCount: number }[]
    inStockCount: number
    onSaleCount: number
    confirmedAt: string | null
    items: Product[]
    nextCursor: string | null
  } | null
  /** Whether the viewer's age is known from their account, so that a statement can't change it. */
  isAgeKnown: boolean
  filter: MenuFilter & { cursor?: string | undefined }
  device: Device
  /** The page of its city. */
  place: { label: string; path: string } | null
  /** Photos, a video and social links, if a plan includes them. */
  extras: PageExtras
}

/** `/menu/{slug}/{id}`: an item of a menu. */
export type ItemContent = Pick<MenuContent, 'business' | 'locations' | 'isAgeKnown' | 'device'> & {
  kind: 'item'
  id: string
  /** Null for viewers who aren't known to be old enough. */
  product: Product | null
  /** The page of the item's strain, if the strain list has it. */
  strainPath: string | null
}

/** A state or city and its number of licensed businesses. */
export type PlaceCount = { name: string; path: string; count: number; dispensaryCount: number }

/** `/places`: the states with licensed businesses. */
export type PlacesContent = {
  kind: 'places'
  /** What was typed, if no place in the United States is called that. */
  unknownPlace: string | null
  states: PlaceCount[]
  /** The cities with the most dispensaries. */
  cities: PlaceCount[]
}

/** `/places/{state}`: its cities with licensed businesses. */
export type StateContent = {
  kind: 'state'
  state: PlaceCount
  types: TypeCount[]
  /** By name. */
  cities: PlaceCount[]
}

export type TypeCount = { type: BusinessType; count: number }

/** `distance`: the most central first. */
export type PlaceSort = 'distance' | 'open' | 'name'

export type CityFilter = { type?: BusinessType | undefined; sort?: PlaceSort | undefined; cursor?: string | undefined }

/** `/places/{state}/{city}`: its licensed businesses, one type at a time. */
export type CityContent = {
  kind: 'city'
  /** "Denver". */
  name: string
  path: string
  state: { name: string; code: string; path: string }
  types: TypeCount[]
  /** Null if no business is listed. */
  type: BusinessType | null
  sort: PlaceSort
  businesses: CityBusiness[]
  /** Null if fewer than two of them have exact coordinates. */
  map: CityMap | null
  nextCursor: string | null
  /** Whether this is the list's first page. */
  isFirstPage: boolean
  /** Cities around it, nearest first. */
  nearby: PlaceCount[]
  /** The age for menus here. Null for viewers who are old enough. */
  ageGate: { minimumAge: number; rule: string; isAgeKnown: boolean } | null
}

/** A drawing of the businesses on a city's page, in pixels. */
export type CityMap = {
  width: number
  height: number
  pins: { x: number; y: number }[]
  /** A round distance and its length on the map. */
  scale: { miles: number; length: number }
}

export type CityBusiness = BusinessSummary & {
  /** When the menu was last confirmed. Null without a menu, and for viewers who aren't known to be old enough. */
  menuConfirmedAt: string | null
}

export type MissingContent = { kind: 'missing'; of: 'menu' | 'item' | 'place' | 'strain' }

/** Null if the list doesn't have it. */
export type StrainLink = { name: string; path: string | null }

/** `/strains/{slug}`: what the strain list says about it, and who has it. */
export type StrainContent = {
  kind: 'strain'
  name: string
  path: string
  type: string | null
  breeder: string | null
  /** Only of crosses that are named after their parents. */
  parents: StrainLink[]
  crosses: StrainLink[]
  /** The place that was asked for: its label if it is known, otherwise what was typed. */
  near: string | null
  isNearKnown: boolean
  radiusMiles: number
  /** Nearest first. Null without a known place, and for viewers who aren't known to be old enough. */
  shops: StrainShop[] | null
  ageGate: CityContent['ageGate']
}

export type StrainShop = BusinessSummary & {
  /** The names of the first few items. */
  itemNames: string[]
  itemCount: number
  menuConfirmedAt: string
}

/** `/` for visitors. */
export type StartContent = { kind: 'start'; hasPassedAgeGate: boolean; cities: PlaceCount[] }

/** `/landing`: lists are empty if there is nothing real to show. */
export type LandingContent = {
  kind: 'landing'
  cities: PlaceCount[]
  /** Recently confirmed items, those of verified businesses first. */
  menus: (BusinessSummary & { menuConfirmedAt: string })[]
  reviews: LandingReview[]
}

export type LandingReview = {
  id: string
  rating: number
  text: string
  createdAt: string
  business: { slug: string; name: string; place: string | null }
}

/** The address of a strain by its slug or name; the server redirects a name to its slug. */
export const strainPath = (slugOrName: string): string => `/strains/${encodeURIComponent(slugOrName)}`

/** The address of the index, a state or a city, with a filter. Parameters always come in the same order. */
export function placesPath(stateSlug?: string, citySlug?: string, { type, sort, cursor }: CityFilter = {}): string {
  return `/${['places', stateSlug, citySlug].filter(Boolean).join('/')}${queryOf({ type, sort, cursor })}`
}

export const itemPath = (slug: string, id: string): string => `/menu/${slug}/${id}`

/** The address of a menu with a filter. Parameters always come in the same order. */
export function menuPath(slug: string, filter: MenuContent['filter'] = {}): string {
  return `/menu/${slug}${queryOf(Object.fromEntries(filterNames.map((name) => [name, filter[name]])))}`
}

/** With its question mark; empty if no value is given. */
function queryOf(values: Record<string, string | number | boolean | undefined>): string {
  const given = Object.entries(values).flatMap(([name, value]) => (value ? [[name, String(value)]] : []))
  return given.length > 0 ? `?${new URLSearchParams(given)}` : ''
}
const filterNames = ['q', 'category', 'strainType', 'inStock', 'onSale', 'location', 'sort', 'cursor'] as const
