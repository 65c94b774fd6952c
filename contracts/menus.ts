import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id, IdOrSlugParams } from './ids.ts'
import { Media } from './media.ts'
import { Currency, Price } from './money.ts'
import { page } from './pagination.ts'
import { line } from './text.ts'

/** Menu sections, in display order. */
export const productCategories = [
  'Flower',
  'Pre-Rolls',
  'Vapes',
  'Concentrates',
  'Edibles',
  'Drinks',
  'Tinctures',
  'Topicals',
  'Seeds & Clones',
  'Accessories',
  'Other',
] as const
export const ProductCategory = z.enum(productCategories)
export type ProductCategory = z.infer<typeof ProductCategory>

export const weightUnits = ['g', 'oz', 'mg', 'ml', 'piece'] as const
export const WeightUnit = z.enum(weightUnits)
export type WeightUnit = z.infer<typeof WeightUnit>

/** Percent for smoked products, milligrams per package for edibles. */
export const potencyUnits = ['percent', 'mg'] as const
export const PotencyUnit = z.enum(potencyUnits)

/** A menu item as shoppers see it. */
export const Product = z.object({
  id: Id,
  name: z.string(),
  /** Price including tax in the currency's main unit, such as "12.50". For the requested location if it has its own price. */
  price: z.string(),
  currency: Currency,
  /** Whether `price` includes all taxes; false if the business hasn't stated its tax rate. */
  isTaxIncluded: z.boolean(),
  /** Subscriber price, or null. */
  memberPrice: z.nullable(z.string()),
  description: z.nullable(z.string()),
  category: z.nullable(z.string()),
  strain: z.nullable(z.string()),
  brand: z.nullable(z.string()),
  thc: z.nullable(z.number()),
  cbd: z.nullable(z.number()),
  potencyUnit: z.nullable(PotencyUnit),
  weight: z.nullable(z.number()),
  weightUnit: z.nullable(WeightUnit),
  batch: z.nullable(z.string()),
  /** The lab's certificate of analysis: a PDF on this site. */
  certificateUrl: z.nullable(z.string()),
  /** The medium size, for a plain `<img>`. */
  imageUrl: z.nullable(z.string()),
  image: z.nullable(Media),
  isAvailable: z.boolean(),
  /** When the team last confirmed price and availability. */
  confirmedAt: z.iso.datetime(),
})
export type Product = z.infer<typeof Product>

export const listProducts = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/products',
  summary: "Read a business's menu; 403 `age_restricted` for viewers below the jurisdiction's age or of unknown age",
  tag: 'Menus',
  access: 'public',
  paginated: true,
  params: IdOrSlugParams,
  query: z.object({
    ...page,
    category: z.optional(ProductCategory),
    /** Only items offered at this location, at its prices. */
    location: z.optional(Id),
    q: z.optional(line(120)),
  }),
  response: z.array(Product),
})

export const getMenu = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/menu',
  summary: "Read a menu's size and freshness; 403 `age_restricted` as for its products",
  tag: 'Menus',
  access: 'public',
  params: IdOrSlugParams,
  query: z.object({ location: z.optional(Id) }),
  response: z.object({
    itemCount: z.int(),
    categories: z.array(z.object({ category: ProductCategory, itemCount: z.int() })),
    /** When the least recently confirmed item was confirmed; null for an empty menu. */
    confirmedAt: z.nullable(z.iso.datetime()),
  }),
})

/** A menu item as its editors see it: as entered, for every location. */
export const MenuItem = z.object({
  id: Id,
  name: z.string(),
  sku: z.nullable(z.string()),
  /** As entered, with or without tax depending on the menu's settings. */
  price: z.string(),
  memberPrice: z.nullable(z.string()),
  description: z.nullable(z.string()),
  category: z.nullable(ProductCategory),
  strain: z.nullable(z.string()),
  brand: z.nullable(z.string()),
  thc: z.nullable(z.number()),
  cbd: z.nullable(z.number()),
  potencyUnit: z.nullable(PotencyUnit),
  weight: z.nullable(z.number()),
  weightUnit: z.nullable(WeightUnit),
  batch: z.nullable(z.string()),
  certificateId: z.nullable(Id),
  certificateUrl: z.nullable(z.string()),
  image: z.nullable(Media),
  isAvailable: z.boolean(),
  /** Differences at single locations. */
  offers: z.array(
    z.object({
      locationId: Id,
      /** False: not on that location's menu. */
      isOffered: z.boolean(),
      price: z.nullable(z.string()),
      isAvailable: z.nullable(z.boolean()),
    }),
  ),
  confirmedAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  /** Changes with every write. Send it back with an edit; a stale version is rejected (409). */
  version: z.int(),
})
export type MenuItem = z.infer<typeof MenuItem>

const amount = z.nullable(z.number('Must be a number').check(z.minimum(0, 'Must be 0 or more'), z.maximum(100_000, 'At most 100000')))

const optionalLine = (max: number) => z.nullable(line(max))

const itemFields = {
  name: line(160, 'Name is required'),
  sku: optionalLine(80),
  price: Price,
  memberPrice: z.nullable(Price),
  description: optionalLine(2000),
  category: z.nullable(ProductCategory),
  strain: optionalLine(120),
  brand: optionalLine(120),
  thc: amount,
  cbd: amount,
  potencyUnit: z.nullable(PotencyUnit),
  weight: amount,
  weightUnit: z.nullable(WeightUnit),
  batch: optionalLine(80),
  /** One of the editor's processed uploads, of kind `document`. */
  certificateId: z.nullable(Id),
  /** One of the editor's processed uploads. */
  imageId: z.nullable(Id),
  isAvailable: z.boolean(),
  offers: z
    .array(
      z.object({
        locationId: Id,
        isOffered: z._default(z.boolean(), true),
        price: z._default(z.nullable(Price), null),
        isAvailable: z._default(z.nullable(z.boolean()), null),
      }),
    )
    .check(z.maxLength(500)),
}

export const NewMenuItem = z.object({
  ...itemFields,
  sku: z._default(itemFields.sku, null),
  memberPrice: z._default(itemFields.memberPrice, null),
  description: z._default(itemFields.description, null),
  category: z._default(itemFields.category, null),
  strain: z._default(itemFields.strain, null),
  brand: z._default(itemFields.brand, null),
  thc: z._default(itemFields.thc, null),
  cbd: z._default(itemFields.cbd, null),
  potencyUnit: z._default(itemFields.potencyUnit, null),
  weight: z._default(itemFields.weight, null),
  weightUnit: z._default(itemFields.weightUnit, null),
  batch: z._default(itemFields.batch, null),
  certificateId: z._default(itemFields.certificateId, null),
  imageId: z._default(itemFields.imageId, null),
  isAvailable: z._default(itemFields.isAvailable, true),
  offers: z._default(itemFields.offers, []),
})
export type NewMenuItem = z.infer<typeof NewMenuItem>

export const MenuItemChange = z.partial(z.object(itemFields))
export type MenuItemChange = z.infer<typeof MenuItemChange>

export const listMenuItems = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/menu-items',
  summary: 'Read the menu as its editors see it, by category and name',
  tag: 'Menus',
  access: 'member',
  paginated: true,
  params: IdOrSlugParams,
  query: z.object({ ...page, q: z.optional(line(120)), category: z.optional(ProductCategory) }),
  response: z.array(MenuItem),
})

export const addMenuItem = endpoint({
  method: 'POST',
  path: '/api/businesses/:id/menu-items',
  summary: 'Add an item; 409 `plan_limit` beyond what the plan allows',
  tag: 'Menus',
  access: 'member',
  words: 'mixed',
  idempotent: true,
  params: IdOrSlugParams,
  body: NewMenuItem,
  response: MenuItem,
  status: 201,
})

export const maxBulkChanges = 500

export const changeMenuItems = endpoint({
  method: 'PATCH',
  path: '/api/businesses/:id/menu-items',
  summary: 'Change many items at once, all or none (fields are named `changes.<index>.<field>`)',
  tag: 'Menus',
  access: 'member',
  words: 'mixed',
  params: IdOrSlugParams,
  body: z.object({
    changes: z
      .array(z.extend(MenuItemChange, { id: Id, version: z.int() }))
      .check(z.minLength(1, 'Add at least one change'), z.maxLength(maxBulkChanges, `At most ${maxBulkChanges} at once`)),
  }),
  response: z.array(MenuItem),
})

export const removeMenuItems = endpoint({
  method: 'POST',
  path: '/api/businesses/:id/menu-items/removals',
  summary: 'Remove items from the menu. Idempotent.',
  tag: 'Menus',
  access: 'member',
  params: IdOrSlugParams,
  body: z.object({ ids: z.array(Id).check(z.minLength(1), z.maxLength(maxBulkChanges)) }),
})

export const confirmMenu = endpoint({
  method: 'POST',
  path: '/api/businesses/:id/menu-confirmations',
  summary: 'Confirm prices and availability of the named items, or of the whole menu',
  tag: 'Menus',
  access: 'member',
  params: IdOrSlugParams,
  body: z.object({ ids: z.optional(z.array(Id).check(z.minLength(1), z.maxLength(maxBulkChanges))) }),
  response: z.object({ confirmedCount: z.int(), confirmedAt: z.iso.datetime() }),
})

export const MenuSettings = z.object({
  currency: Currency,
  /** Percent, such as 15.75; null if not stated. */
  taxRate: z.nullable(z.number().check(z.minimum(0), z.maximum(100, 'At most 100'))),
  /** Whether entered prices include tax. */
  pricesIncludeTax: z.boolean(),
})
export type MenuSettings = z.infer<typeof MenuSettings>

export const MenuRoom = z.object({
  itemCount: z.int(),
  /** Null: unlimited. */
  itemLimit: z.nullable(z.int()),
})

export const getMenuSettings = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/menu-settings',
  summary: "Read a menu's price settings and how many items it can hold",
  tag: 'Menus',
  access: 'member',
  params: IdOrSlugParams,
  response: z.extend(MenuSettings, MenuRoom.shape),
})

export const saveMenuSettings = endpoint({
  method: 'PUT',
  path: '/api/businesses/:id/menu-settings',
  summary: "Change a menu's price settings",
  tag: 'Menus',
  access: 'member',
  params: IdOrSlugParams,
  body: MenuSettings,
  response: z.extend(MenuSettings, MenuRoom.shape),
})
