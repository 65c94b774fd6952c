import { Currency, Id, Price } from './fields.ts'
import { maxVariants } from './limits.ts'
import { Media } from './media.ts'
import { itemFieldKeys, menuShape, shopperItemFields, shopperVariantFields, variantFieldKeys } from './menu-fields.ts'
import * as z from './zod.ts'

/** A weight or pack of an item as shoppers see it. */
export const ProductVariant = z.object({
  id: Id,
  /**
   * Prices include tax, in the currency's main unit, such as "12.50"; for the requested location if it has its own. `salePrice` is below
   * `price`, and `memberPrice` is below both; otherwise they are null. Subscribers pay `memberPrice`. `salePrice` is null before the
   * first day of the sale and after `saleEnds`.
   */
  ...menuShape('value', shopperVariantFields),
  /** Only a few are left. */
  isLow: z.boolean(),
})
export type ProductVariant = z.infer<typeof ProductVariant>

/** A menu item as shoppers see it. */
export const Product = z.object({
  id: Id,
  ...menuShape('value', shopperItemFields),
  /** The lowest price that anyone pays now for an available variant, sales included; of all variants if none is available. */
  price: z.string(),
  /** Whether any variant is available. */
  isAvailable: z.boolean(),
  /** Whether an available variant has a sale price. */
  isOnSale: z.boolean(),
  /** Whether the viewer pays the subscriber prices, which everyone sees. */
  hasMemberPrices: z.boolean(),
  variants: z.array(ProductVariant),
  currency: Currency,
  /** Whether prices include all taxes; false if the business hasn't stated its tax rate. */
  isTaxIncluded: z.boolean(),
  /** The lab's certificate of analysis: a PDF on this site. */
  certificateUrl: z.nullable(z.string()),
  /** The medium size, for a plain `<img>`. */
  imageUrl: z.nullable(z.string()),
  image: z.nullable(Media),
  /** When the team last confirmed prices and availability. */
  confirmedAt: z.iso.datetime(),
})
export type Product = z.infer<typeof Product>

/** A weight or pack of an item as its editors see it: as entered. */
export const MenuVariant = z.object({
  id: Id,
  /** Prices are as entered, with or without tax depending on the menu's settings. */
  ...menuShape('value', variantFieldKeys),
  /** Differences at single locations. */
  offers: z.array(
    z.object({
      locationId: Id,
      /** False: not on that location's menu. */
      isOffered: z.boolean(),
      /** Replaces both prices of the variant, so without `salePrice` there is no sale at that location. */
      price: z.nullable(z.string()),
      /** A sale at that location only, if `price` is null. */
      salePrice: z.nullable(z.string()),
      isAvailable: z.nullable(z.boolean()),
    }),
  ),
})
export type MenuVariant = z.infer<typeof MenuVariant>

/** A menu item as its editors see it: as entered, for every location. */
export const MenuItem = z.object({
  id: Id,
  ...menuShape('value', itemFieldKeys),
  /** In the order in which the editors want them shown. */
  variants: z.array(MenuVariant),
  certificateId: z.nullable(Id),
  certificateUrl: z.nullable(z.string()),
  image: z.nullable(Media),
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
}

const offers = z
  .array(
    z.object({
      locationId: Id,
      isOffered: z._default(z.boolean(), true),
      price: z._default(z.nullable(Price), null),
      salePrice: z._default(z.nullable(Price), null),
      isAvailable: z._default(z.nullable(z.boolean()), null),
    }),
  )
  .check(z.maxLength(500))

const variantsOf = <Schema extends z.ZodMiniType>(variant: Schema) =>
  z.array(variant).check(z.minLength(1, 'Add at least one size'), z.maxLength(maxVariants, `At most ${maxVariants} sizes`))

export const NewMenuVariant = z.object({ ...menuShape('addition', variantFieldKeys), offers: z._default(offers, []) })

export const NewMenuItem = z.object({
  ...menuShape('addition', itemFieldKeys),
  certificateId: z._default(attachments.certificateId, null),
  imageId: z._default(attachments.imageId, null),
  variants: variantsOf(NewMenuVariant),
})
export type NewMenuItem = z.infer<typeof NewMenuItem>

/** With an ID, changes that variant. Without one, adds a variant, which needs a price. */
export const MenuVariantChange = z.partial(z.object({ id: Id, ...menuShape('change', variantFieldKeys), offers }))
export type MenuVariantChange = z.infer<typeof MenuVariantChange>

export const MenuItemChange = z.partial(
  z.object({
    ...menuShape('change', itemFieldKeys),
    ...attachments,
    /** All variants of the item, in order: those that aren't listed are removed. */
    variants: variantsOf(MenuVariantChange),
  }),
)
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
