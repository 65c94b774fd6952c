import { Business } from './businesses.ts'
import { endpoint } from './endpoint.ts'
import { flag, Id, IdOrSlugParams, IdParams, line, nearPlace, numeric, Price, page } from './fields.ts'
import { maxBulkChanges } from './limits.ts'
import { editorSorts, menuParts, menuSorts } from './menu-fields.rules.ts'
import { ProductCategory, StrainType } from './menu-fields.ts'
import { MenuItem, MenuItemChange, MenuRoom, MenuSettings, NewMenuItem, Product } from './menus.ts'
import * as z from './zod.ts'

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
    strainType: z.optional(StrainType),
    /** `true`: only items with an available variant. */
    inStock: z.optional(flag()),
    /** `true`: only items with a sale price. */
    onSale: z.optional(flag()),
    /** Compared to an item's `price`. */
    maxPrice: z.optional(Price),
    /** In percent. */
    minThc: z.optional(numeric(z.number().check(z.minimum(0), z.maximum(100)))),
    /** Only items offered at this location, at its prices. */
    location: z.optional(Id),
    q: z.optional(line(120)),
    /** By category and name, or the cheapest, the cheapest eighth, the cheapest per gram or the most potent (by THC) first. */
    sort: z._default(z.enum(menuSorts), 'category'),
  }),
  response: z.array(Product),
})

export const getProduct = endpoint({
  method: 'GET',
  path: '/api/products/:id',
  summary: 'Read a menu item and its business; 403 `age_restricted` as for the menu',
  tag: 'Menus',
  access: 'public',
  params: IdParams,
  query: z.object({
    /** Shows the prices of this location. */
    location: z.optional(Id),
    /** A place to state the distance from: "Denver, CO", a ZIP code, or `latitude,longitude`. */
    near: nearPlace,
  }),
  response: z.object({
    product: Product,
    business: Business,
    /** The page of the item's strain, if the strain list has it. */
    strainPath: z.nullable(z.string()),
  }),
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
    strainTypes: z.array(z.object({ strainType: StrainType, itemCount: z.int() })),
    inStockCount: z.int(),
    onSaleCount: z.int(),
    /** When the least recently confirmed item was confirmed; null for an empty menu. */
    confirmedAt: z.nullable(z.iso.datetime()),
  }),
})

export const listMenuItems = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/menu-items',
  summary: 'Read the menu as its editors see it, by category and name unless sorted otherwise',
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
