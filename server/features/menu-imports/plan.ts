import type { MissingItems } from '#contracts/menu-imports.endpoints.ts'
import type { ItemRow, MenuRow, StoredItem, VariantRow } from '#server/features/menus/index.ts'
import type { ReadRow } from './read-row.ts'
import type { CellError } from './tidy-cells.ts'

/** What a row does. `item` and `variant` are what will be stored. */
export type Placed =
  | { effect: 'add' | 'add_variant' | 'change' | 'same'; item: ItemRow; variant: VariantRow; errors: [] }
  | { effect: 'refused' | 'inactive'; errors: CellError[] }

export type Taken = Extract<Placed, { item: ItemRow }>
/** Whether the row is or will be on the menu. */
export const isTaken = (placed: Placed): placed is Taken => 'item' in placed

export type Plan = {
  rows: { read: ReadRow; placed: Placed }[]
  added: MenuRow[]
  changed: { before: StoredItem; after: MenuRow }[]
  /** IDs of the items that the file and the menu agree on. */
  confirmed: string[]
  /** Items that the file omits or lists as inactive, which go out of stock. */
  missing: { before: StoredItem; after: MenuRow }[]
  /** IDs of the items that are removed because they aren't in the file. */
  removed: string[]
  /** The menu before the import. */
  menu: readonly StoredItem[]
  offers: LocationOffers
}

export type PlanOptions = {
  /** Makes each row an item, even if several differ only in weight. */
  keepsRowsApart: boolean
  /** What happens to items and sizes that aren't in the file. */
  missingItems: MissingItems
}

/** A row of `product_offers`: where a location differs from the variant. */
export type Offer = {
  variant_id: string
  location_id: string
  is_offered: boolean
  price_cents: number | null
  sale_price_cents: number | null
  is_available: boolean | null
}

/** The offers of `variants` at `locations`; where there is none, the location has the variant as it is. */
export type LocationOffers = {
  locations: string[]
  variants: string[]
  offers: Offer[]
  /** What the rows of other locations do. */
  rows: { variantId: string; placed: Taken }[]
}
