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

export const weightUnits = ['g', 'oz', 'mg', 'ml', 'piece'] as const

export const strainTypes = ['indica', 'sativa', 'hybrid'] as const

/** `eighth`: by the price of an eighth of an ounce, the size that shoppers compare. */
export const menuSorts = ['category', 'price', 'eighth', 'price_per_gram', 'potency'] as const
export type MenuSort = (typeof menuSorts)[number]

/** Orders for a menu's editors; `oldest`: the least recently confirmed items first. */
export const editorSorts = ['category', 'price', 'oldest'] as const
export type EditorSort = (typeof editorSorts)[number]

/** Parts of a menu that its editors look for: by stock, without a category, or not confirmed for a week. */
export const menuParts = ['in_stock', 'out_of_stock', 'no_category', 'unconfirmed'] as const
export type MenuPart = (typeof menuParts)[number]

/** Orders of a search across menus. */
export const productSorts = ['nearest', 'price', 'price_per_gram', 'potency'] as const
export type ProductSort = (typeof productSorts)[number]
