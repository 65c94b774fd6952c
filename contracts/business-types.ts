export const businessTypes = ['farm', 'dispensary', 'smoke_shop', 'glass_shop', 'food_service', 'delivery', 'other'] as const

export type BusinessType = (typeof businessTypes)[number]

export const businessTypeLabels: Record<BusinessType, string> = {
  farm: 'Farm',
  dispensary: 'Dispensary',
  smoke_shop: 'Smoke shop',
  glass_shop: 'Glass shop',
  food_service: 'Food service',
  delivery: 'Delivery',
  other: 'Other',
}

export const businessTypePluralLabels: Record<BusinessType, string> = {
  farm: 'Farms',
  dispensary: 'Dispensaries',
  smoke_shop: 'Smoke shops',
  glass_shop: 'Glass shops',
  food_service: 'Food service',
  delivery: 'Delivery',
  other: 'Other',
}
