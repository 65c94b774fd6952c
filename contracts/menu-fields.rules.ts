/** In display order. */
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

export const weightUnits = ['g', 'oz', 'mg', 'ml', 'piece'] as const

/** As written on menus: "each", "4-pack". */
export const packLabel = (pieces: number, figure = String(pieces)): string => {
  if (pieces === 1) return 'each'
  return Number.isInteger(pieces) ? `${figure}-pack` : `${figure} pieces`
}

export const strainTypes = ['indica', 'sativa', 'hybrid'] as const

/** `eighth` sorts by the price of an eighth of an ounce, the size that shoppers compare. */
export const menuSorts = ['category', 'price', 'eighth', 'price_per_gram', 'potency'] as const
export type MenuSort = (typeof menuSorts)[number]

/** For menu editors. `oldest` starts with the items whose confirmation is oldest. */
export const editorSorts = ['category', 'price', 'oldest'] as const
export type EditorSort = (typeof editorSorts)[number]

/** Filters for menu editors. `unconfirmed`: not confirmed for a week. */
export const menuParts = ['in_stock', 'out_of_stock', 'no_category', 'unconfirmed'] as const
export type MenuPart = (typeof menuParts)[number]

export const productSorts = ['nearest', 'price', 'price_per_gram', 'potency'] as const
export type ProductSort = (typeof productSorts)[number]
