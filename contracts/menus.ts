import { Currency, Id, Price } from './fields.ts'
import { Media } from './media.ts'
import { menuShape, shopperFields } from './menu-fields.ts'
import * as z from './zod.ts'

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
