import { Currency, Id, Price } from './fields.ts'
import { maxVariants } from './limits.ts'
import { Media } from './media.ts'
import { itemFieldKeys, menuShape, shopperItemFields, shopperVariantFields, variantFieldKeys } from './menu-fields.ts'
import * as z from './zod.ts'

export const ProductVariant = z.object({
  id: Id,
  /**
   * Prices are in the currency's main unit ("12.50"), include tax if the item's `isTaxIncluded` is true, and are the requested location's
   * if it has its own. `memberPrice` is what subscribers pay. `salePrice` is null before the sale's first day, after `saleEnds`, or if it
   * isn't below `price`. `memberPrice` is null if it isn't below both.
   */
  ...menuShape('value', shopperVariantFields),
  isLow: z.boolean(),
})
export type ProductVariant = z.infer<typeof ProductVariant>

export const Product = z.object({
  id: Id,
  ...menuShape('value', shopperItemFields),
  /** The lowest current price of an available variant, including sales, without a subscription. If none is available, the lowest of all. */
  price: z.string(),
  isAvailable: z.boolean(),
  isOnSale: z.boolean(),
  /** The viewer pays the subscriber prices. Everyone sees them. */
  hasMemberPrices: z.boolean(),
  variants: z.array(ProductVariant),
  currency: Currency,
  /** False if the business enters prices without tax and hasn't entered its tax rate. */
  isTaxIncluded: z.boolean(),
  /** A certificate of analysis, as a PDF on this site. */
  certificateUrl: z.nullable(z.string()),
  /** Medium size, for a plain `<img>`. */
  imageUrl: z.nullable(z.string()),
  image: z.nullable(Media),
  /** When the team last confirmed the price and availability. */
  confirmedAt: z.iso.datetime(),
})
export type Product = z.infer<typeof Product>

/** A weight or pack as the menu editor entered it. */
export const MenuVariant = z.object({
  id: Id,
  /** Prices are as entered. The menu's settings say whether they include tax. */
  ...menuShape('value', variantFieldKeys),
  /** Differences at individual locations. */
  offers: z.array(
    z.object({
      locationId: Id,
      /** False if that location doesn't sell it. */
      isOffered: z.boolean(),
      /** Replaces both of the variant's prices, so the location has no sale unless `salePrice` is set. */
      price: z.nullable(z.string()),
      /** If `price` is null, a sale at this location only. */
      salePrice: z.nullable(z.string()),
      isAvailable: z.nullable(z.boolean()),
    }),
  ),
})
export type MenuVariant = z.infer<typeof MenuVariant>

/** A menu item as its editors entered it, for every location. */
export const MenuItem = z.object({
  id: Id,
  ...menuShape('value', itemFieldKeys),
  /** In the order that the editors chose. */
  variants: z.array(MenuVariant),
  certificateId: z.nullable(Id),
  certificateUrl: z.nullable(z.string()),
  image: z.nullable(Media),
  confirmedAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  /** Changes with every write. Send it with an edit; a stale version is rejected (409). */
  version: z.int(),
})
export type MenuItem = z.infer<typeof MenuItem>

const attachments = {
  /** A processed upload, of kind `document`. */
  certificateId: z.nullable(Id),
  /** A processed upload. */
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

/** Changes the variant with this ID, or adds a variant if there is no ID. A new variant requires a price. */
export const MenuVariantChange = z.partial(z.object({ id: Id, ...menuShape('change', variantFieldKeys), offers }))
export type MenuVariantChange = z.infer<typeof MenuVariantChange>

export const MenuItemChange = z.partial(
  z.object({
    ...menuShape('change', itemFieldKeys),
    ...attachments,
    /** All of the item's variants in order. Omitted ones are removed. */
    variants: variantsOf(MenuVariantChange),
  }),
)
export type MenuItemChange = z.infer<typeof MenuItemChange>

export const MenuSettings = z.object({
  currency: Currency,
  /** In percent, such as 15.75. Null if not entered. */
  taxRate: z.nullable(z.number().check(z.minimum(0), z.maximum(100, 'At most 100'))),
  pricesIncludeTax: z.boolean(),
})
export type MenuSettings = z.infer<typeof MenuSettings>

export const MenuSettingsEdit = z.extend(MenuSettings, {
  /** The settings as the editor read them. If omitted, changes made since are overwritten. */
  before: z.optional(MenuSettings),
})
export type MenuSettingsEdit = z.infer<typeof MenuSettingsEdit>

export const MenuRoom = z.object({
  itemCount: z.int(),
  itemLimit: z.nullable(z.int()),
})

/** A menu's settings and what its editors see above the items. */
export const MenuState = z.object({
  ...MenuSettings.shape,
  ...MenuRoom.shape,
  /** The oldest confirmation among the menu's items. Null for an empty menu. */
  confirmedAt: z.nullable(z.iso.datetime()),
})
export type MenuState = z.infer<typeof MenuState>
