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

/** What an editor types about a menu item, in the order of a menu file's columns. Pictures, certificates and offers are apart. */
export const menuFieldKeys = [
  'sku',
  'name',
  'category',
  'strain',
  'brand',
  'price',
  'memberPrice',
  'description',
  'thc',
  'cbd',
  'potencyUnit',
  'weight',
  'weightUnit',
  'batch',
  'isAvailable',
] as const
