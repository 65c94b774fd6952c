import { Business } from './businesses.ts'
import { endpoint } from './endpoint.ts'
import { flag, Id, IdOrSlugParams, IdParams, line, nearPlace, numeric, Price, page } from './fields.ts'
import { maxBulkChanges } from './limits.ts'
import { editorSorts, menuParts, menuSorts } from './menu-fields.rules.ts'
import { ProductCategory, StrainType } from './menu-fields.ts'
import { MenuItem, MenuItemChange, MenuSettingsEdit, MenuState, NewMenuItem, Product } from './menus.ts'
import * as z from './zod.ts'

export const listProducts = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/products',
  summary:
    "Read a business's menu, which is empty while the business is closed. Returns 403 `age_restricted` for viewers whose age is unknown or below the jurisdiction's minimum.",
  tag: 'Menus',
  access: 'public',
  paginated: true,
  params: IdOrSlugParams,
  query: z.object({
    ...page,
    category: z.optional(ProductCategory),
    strainType: z.optional(StrainType),
    /** `true`: only items with an available variant. */
    inStock: z.optional(flag()),
    onSale: z.optional(flag()),
    /** Compared with an item's `price`. */
    maxPrice: z.optional(Price),
    /** In percent. */
    minThc: z.optional(numeric(z.number().check(z.minimum(0), z.maximum(100)))),
    /** Only items offered at this location, at its prices. */
    location: z.optional(Id),
    q: z.optional(line(120)),
    /** `eighth` sorts by the price of an eighth, `potency` by THC. */
    sort: z._default(z.enum(menuSorts), 'category'),
  }),
  response: z.array(Product),
})

export const getProduct = endpoint({
  method: 'GET',
  path: '/api/products/:id',
  summary: 'Read a menu item and its business. Returns 403 `age_restricted` as for the menu.',
  tag: 'Menus',
  access: 'public',
  params: IdParams,
  query: z.object({
    location: z.optional(Id),
    /** Where distances are measured from: "Denver, CO", a ZIP code, or `latitude,longitude`. */
    near: nearPlace,
  }),
  response: z.object({
    product: Product,
    business: Business,
    /** The page about the item's strain; null if the strain isn't listed. */
    strainPath: z.nullable(z.string()),
  }),
})

export const getMenu = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/menu',
  summary:
    "Count a menu's items and read the oldest confirmation among them. Returns 403 `age_restricted` in the same cases as the menu's items.",
  tag: 'Menus',
  access: 'public',
  params: IdOrSlugParams,
  query: z.object({ location: z.optional(Id) }),
  response: z.object({
    itemCount: z.int(),
    categories: z.array(z.object({ category: ProductCategory, itemCount: z.int() })),
    strainTypes: z.array(z.object({ strainType: StrainType, itemCount: z.int() })),
    inStockCount: z.int(),
    onSaleCount: z.int(),
    /** The oldest confirmation among the menu's items. Null for an empty menu. */
    confirmedAt: z.nullable(z.iso.datetime()),
  }),
})

export const listMenuItems = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/menu-items',
  summary: 'Read the menu as its editors see it, by category and name by default',
  tag: 'Menus',
  access: 'member',
  paginated: true,
  params: IdOrSlugParams,
  query: z.object({
    ...page,
    q: z.optional(line(120)),
    category: z.optional(ProductCategory),
    part: z.optional(z.enum(menuParts)),
    sort: z.optional(z.enum(editorSorts)),
  }),
  response: z.array(MenuItem),
})

export const addMenuItem = endpoint({
  method: 'POST',
  path: '/api/businesses/:id/menu-items',
  summary: "Add an item. Returns 409 `plan_limit` at the plan's limit.",
  tag: 'Menus',
  access: 'member',
  words: 'mixed',
  idempotent: true,
  params: IdOrSlugParams,
  body: NewMenuItem,
  response: MenuItem,
  status: 201,
})

export const updateMenuItems = endpoint({
  method: 'PATCH',
  path: '/api/businesses/:id/menu-items',
  summary: 'Change many items at once, all or nothing; errors name fields as `changes.<index>.<field>`',
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
  summary: 'Confirm the prices and availability of the listed items, or of the whole menu',
  tag: 'Menus',
  access: 'member',
  params: IdOrSlugParams,
  body: z.object({ ids: z.optional(z.array(Id).check(z.minLength(1), z.maxLength(maxBulkChanges))) }),
  response: z.object({ confirmedCount: z.int(), confirmedAt: z.iso.datetime() }),
})

export const getMenuSettings = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/menu-settings',
  summary: "Read a menu's price settings, its item count and limit, and its oldest confirmation",
  tag: 'Menus',
  access: 'member',
  params: IdOrSlugParams,
  response: MenuState,
})

export const saveMenuSettings = endpoint({
  method: 'PUT',
  path: '/api/businesses/:id/menu-settings',
  summary: "Change a menu's price settings. Returns 409 if you send an outdated `before`.",
  tag: 'Menus',
  access: 'member',
  params: IdOrSlugParams,
  body: MenuSettingsEdit,
  response: MenuState,
})
