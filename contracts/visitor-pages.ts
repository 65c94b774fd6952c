import type { BusinessType } from './business-types.ts'
import type { Business, BusinessSummary } from './businesses.ts'
import type { Location } from './locations.ts'
import type { MenuSort } from './menu-fields.rules.ts'
import type { ProductCategory, StrainType } from './menu-fields.ts'
import type { Product } from './menus.ts'
import type { PageExtras } from './page-extras.ts'

/** Data for a page that anyone can see. The server reads it, and the web app's components render it as HTML. */
export type VisitorPage = {
  /** In milliseconds, as a multiple of a minute, so that a rendered page can be sent again. */
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

/** A link to directions opens a different app on each. */
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

/** `/menu/{slug}`. */
export type MenuContent = {
  kind: 'menu'
  business: Business
  /** Main location first. */
  locations: Location[]
  /** Null if the business has a `closure`, and for viewers who aren't known to be old enough. */
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
  /** The account has a birthday, so the viewer can't state another age. */
  isAgeKnown: boolean
  filter: MenuFilter & { cursor?: string | undefined }
  device: Device
  place: { label: string; path: string } | null
  extras: PageExtras
}

/** A business whose owner gave it up keeps its menu. */
export const hasMenu = ({ isClaimed, isDemo, menuConfirmedAt }: Pick<Business, 'isClaimed' | 'isDemo' | 'menuConfirmedAt'>): boolean =>
  isClaimed || isDemo || menuConfirmedAt !== null

/** `/menu/{slug}/{id}`. */
export type ItemContent = Pick<MenuContent, 'business' | 'locations' | 'isAgeKnown' | 'device'> & {
  kind: 'item'
  id: string
  /** The location whose prices and stock are shown. If undefined, the business's general ones are shown. */
  location?: string | undefined
  /** Null for viewers who aren't known to be old enough. */
  product: Product | null
  /** The page about the item's strain; null if the strain isn't listed. */
  strainPath: string | null
}

export type PlaceCount = { name: string; path: string; count: number; dispensaryCount: number }

/** `/places`: states with licensed businesses. */
export type PlacesContent = {
  kind: 'places'
  /** The text as typed, if no place in the United States has that name. */
  unknownPlace: string | null
  /** Cities of similar size that share the name, if it was typed without a state. */
  choices: { label: string; path: string }[]
  states: PlaceCount[]
  cities: PlaceCount[]
}

/** `/places/{state}`: cities with licensed businesses. */
export type StateContent = {
  kind: 'state'
  state: PlaceCount
  types: TypeCount[]
  cities: PlaceCount[]
  /** False if there is nothing but demo content, which search engines must not index. */
  hasRealBusinesses: boolean
}

export type TypeCount = { type: BusinessType; count: number }

/** `distance` is measured from the city's center. */
export type PlaceSort = 'distance' | 'open' | 'name'

export type CityFilter = { type?: BusinessType | undefined; sort?: PlaceSort | undefined; cursor?: string | undefined }

/** `/places/{state}/{city}`: licensed businesses, one type at a time. */
export type CityContent = {
  kind: 'city'
  name: string
  path: string
  state: { name: string; code: string; path: string }
  types: TypeCount[]
  type: BusinessType | null
  /** Businesses of this type, without demo content. */
  realCount: number
  sort: PlaceSort
  businesses: CityBusiness[]
  /** Null if fewer than two businesses have exact coordinates close enough for a map. */
  map: CityMap | null
  nextCursor: string | null
  isFirstPage: boolean
  /** Cities in the area, nearest first. */
  nearby: PlaceCount[]
  /** The minimum age for menus here. Null for viewers who are old enough. */
  ageGate: { minimumAge: number; rule: string; isAgeKnown: boolean } | null
}

export type CityMap = {
  width: number
  height: number
  pins: { x: number; y: number }[]
  /** A round distance and its length in pixels. */
  scale: { miles: number; length: number }
}

export type CityBusiness = BusinessSummary & {
  /** The oldest confirmation among the menu's items. Null if there is no menu, and for viewers who aren't known to be old enough. */
  menuConfirmedAt: string | null
}

export type MissingContent = { kind: 'missing'; of: 'menu' | 'item' | 'place' | 'strain' }

/** `path` is null for a strain that isn't listed. */
export type StrainLink = { name: string; path: string | null }

/** `/strains/{slug}`: what is known about a strain, and businesses that sell it. */
export type StrainContent = {
  kind: 'strain'
  name: string
  path: string
  type: string | null
  breeder: string | null
  /** Empty unless the strain is a cross named after its parents. */
  parents: StrainLink[]
  crosses: StrainLink[]
  /** The place searched: its label if it is known, or the text as typed. By default, a member's own city. */
  near: string | null
  isNearKnown: boolean
  radiusMiles: number
  /** Nearest first. Null without a known place, and for viewers who aren't known to be old enough. */
  shops: StrainShop[] | null
  /** More shops within the radius sell the strain than are shown. */
  hasMoreShops: boolean
  ageGate: CityContent['ageGate']
}

export type StrainShop = BusinessSummary & {
  /** The first few items. */
  itemNames: string[]
  itemCount: number
  /** The text that finds these items on the shop's menu. */
  menuQuery: string
  /** The oldest confirmation among these items. */
  menuConfirmedAt: string
}

/** `/` for visitors. */
export type StartContent = { kind: 'start'; hasPassedAgeGate: boolean; cities: PlaceCount[] }

/** `/landing`. Lists are empty if there is nothing real to show. */
export type LandingContent = {
  kind: 'landing'
  cities: PlaceCount[]
  /** Recently confirmed menus, verified businesses first. */
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

/** The server renders these pages, so links to them leave the web app. */
export const isVisitorPage = (path: string): boolean => /^\/(menu|places|strains)([/?#]|$)/.test(path)

/** The server redirects a strain's name to its slug. */
export const strainPath = (slugOrName: string): string => `/strains/${encodeURIComponent(slugOrName)}`

/** Parameters always come in the same order. */
export function placesPath(stateSlug?: string, citySlug?: string, { type, sort, cursor }: CityFilter = {}): string {
  return `/${['places', stateSlug, citySlug].filter(Boolean).join('/')}${queryOf({ type, sort, cursor })}`
}

/** Prices and stock can differ by location. */
export const itemPath = (slug: string, id: string, location?: string): string => `/menu/${slug}/${id}${queryOf({ location })}`

/** Parameters always come in the same order. */
export function menuPath(slug: string, filter: MenuContent['filter'] = {}): string {
  return `/menu/${slug}${queryOf(Object.fromEntries(filterNames.map((name) => [name, filter[name]])))}`
}

/** Includes the question mark. Empty if there are no values. */
function queryOf(values: Record<string, string | number | boolean | undefined>): string {
  const given = Object.entries(values).flatMap(([name, value]) => (value ? [[name, String(value)]] : []))
  return given.length > 0 ? `?${new URLSearchParams(given)}` : ''
}
const filterNames = ['q', 'category', 'strainType', 'inStock', 'onSale', 'location', 'sort', 'cursor'] as const
