import { endpoint } from './endpoint.ts'
import { Id, IdOrSlugParams, line, page } from './fields.ts'
import { maxBulkChanges } from './limits.ts'
import { ProductCategory } from './menu-fields.ts'
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
