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

/** Their ounces are fluid ounces, which measure a volume. */
export const fluidCategories: readonly string[] = ['Drinks', 'Tinctures'] satisfies (typeof productCategories)[number][]

/** In grams, as the trade sells it: an eighth is 3.5 g. */
export const gramsInOunce = 28

export const weightUnits = ['g', 'oz', 'mg', 'ml', 'piece'] as const

/** As written on menus: "each", "4-pack". */
export const packLabel = (pieces: number, figure = String(pieces)): string => {
  if (pieces === 1) return 'each'
  return Number.isInteger(pieces) ? `${figure}-pack` : `${figure} pieces`
}

const eighths = ['', '1/8', '1/4', '3/8', '1/2', '5/8', '3/4', '7/8']

/** As written on menus: "1/4 oz", "1 1/8 oz". Null if the weight isn't a whole number of eighths. */
export function eighthsLabel(inEighths: number): string | null {
  const rest = eighths[inEighths % 8]
  if (inEighths <= 0 || rest === undefined) return null
  return `${[inEighths >= 8 ? Math.floor(inEighths / 8) : '', rest].filter(Boolean).join(' ')} oz`
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
