import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id, IdOrSlugParams } from './ids.ts'
import { Media } from './media.ts'
import { menuShape, ProductCategory, shopperFields } from './menu-fields.ts'
import { Currency, Price } from './money.ts'
import { page } from './pagination.ts'
import { line } from './text.ts'

/** A menu item as shoppers see it. */
export const Product = z.object({
  id: Id,
  /**
   * `price` includes tax, in the currency's main unit, such as "12.50"; for the requested location if it has its own price. `memberPrice`
   * is null for everyone who doesn't get it.
   */
  ...menuShape('value', shopperFields),
  currency: Currency,
  /** Whether `price` includes all taxes; false if the business hasn't stated its tax rate. */
  isTaxIncluded: z.boolean(),
  /** The lab's certificate of analysis: a PDF on this site. */
  certificateUrl: z.nullable(z.string()),
  /** The medium size, for a plain `<img>`. */
  imageUrl: z.nullable(z.string()),
  image: z.nullable(Media),
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
  /** Prices are as entered, with or without tax depending on the menu's settings. */
  ...menuShape('value'),
  certificateId: z.nullable(Id),
  certificateUrl: z.nullable(z.string()),
  image: z.nullable(Media),
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

const attachments = {
  /** One of the editor's processed uploads, of kind `document`. */
  certificateId: z.nullable(Id),
  /** One of the editor's processed uploads. */
  imageId: z.nullable(Id),
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
  ...menuShape('addition'),
  certificateId: z._default(attachments.certificateId, null),
  imageId: z._default(attachments.imageId, null),
  offers: z._default(attachments.offers, []),
})
export type NewMenuItem = z.infer<typeof NewMenuItem>

export const MenuItemChange = z.partial(z.object({ ...menuShape('change'), ...attachments }))
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
