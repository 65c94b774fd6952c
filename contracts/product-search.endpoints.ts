import { BusinessSummary } from './businesses.ts'
import { endpoint } from './endpoint.ts'
import { flag, line, nearPlace, numeric, Price, page } from './fields.ts'
import { maxProductMiles, maxSearchLength } from './limits.ts'
import { productSorts } from './menu-fields.rules.ts'
import { ProductCategory, StrainType } from './menu-fields.ts'
import { Product } from './menus.ts'
import * as z from './zod.ts'

export const FoundProduct = z.object({
  product: z.omit(Product, { description: true, certificateUrl: true, imageUrl: true }),
  shop: z.pick(BusinessSummary, {
    id: true,
    slug: true,
    name: true,
    type: true,
    location: true,
    pin: true,
    distanceMiles: true,
    openNow: true,
    timeZone: true,
    licenseStanding: true,
    isLicenseVerified: true,
    hasVerifiedBadge: true,
    isClaimed: true,
    isDemo: true,
  }),
  /** On sale where the law at the business's location lets prices be advertised. */
  isDeal: z.boolean(),
})
export type FoundProduct = z.infer<typeof FoundProduct>

const filters = {
  /** Every word must match the item's name, brand, strain, subcategory, category or strain type. */
  q: z.optional(line(maxSearchLength)),
  /** Defaults to the person's city. Required if they have none. */
  near: nearPlace,
  /** Miles around `near`; 25 by default. */
  radius: z.optional(numeric(z.number().check(z.minimum(1), z.maximum(maxProductMiles)))),
  category: z.optional(ProductCategory),
  strainType: z.optional(StrainType),
  /** In a currency's main unit, such as "12.50". Compared with an item's `price`. */
  maxPrice: z.optional(Price),
  /** Only items with a variant that costs at least this much, and at most `maxPrice`. */
  minPrice: z.optional(Price),
  /** `true`: `minPrice` and `maxPrice` are prices per gram. */
  perGram: z.optional(flag()),
  /** `true`: only items with an available variant. */
  inStock: z.optional(flag()),
  onSale: z.optional(flag()),
  /** `true`: only businesses whose main location is open now. */
  open: z.optional(flag()),
}

export const searchProducts = endpoint({
  method: 'GET',
  path: '/api/products',
  summary: 'Find menu items near a place. Returns 403 `age_restricted` if you find none and are below the legal age there.',
  tag: 'Menus',
  access: 'member',
  paginated: true,
  query: z.object({
    ...page,
    ...filters,
    /**
     * Every sort lists items in stock first and, among those, items confirmed within a week first. `nearest` ranks items named like the
     * query above recently confirmed ones, and takes three items from each business at a time.
     */
    sort: z._default(z.enum(productSorts), 'nearest'),
  }),
  response: z.array(FoundProduct),
})

export const countProducts = endpoint({
  method: 'GET',
  path: '/api/products/counts',
  summary: 'Count menu items near a place and the shops that have them. Returns 403 `age_restricted` in the same cases as the item list.',
  tag: 'Menus',
  access: 'member',
  query: z.object(filters),
  response: z.object({
    itemCount: z.int(),
    shopCount: z.int(),
    /** The area searched. A state has no radius. */
    place: z.object({ label: z.string(), radiusMiles: z.nullable(z.number()) }),
    /** If the viewer is too young for some of the matching items, the lowest age at which people may see more of them. */
    productAge: z.nullable(z.int()),
  }),
})
