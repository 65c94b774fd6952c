/** In display order. Free for every business. */
export const amenityLabels = {
  adult_use: 'Adult use',
  medical: 'Medical',
  delivery: 'Delivery',
  curbside: 'Curbside pickup',
  drive_through: 'Drive-through',
  debit: 'Debit cards',
  atm: 'ATM',
  parking: 'Parking',
  wheelchair: 'Wheelchair accessible',
  restroom: 'Restroom',
  lounge: 'Consumption lounge',
  tours: 'Tours',
  spanish: 'Spanish spoken',
} as const

export type Amenity = keyof typeof amenityLabels
export const amenities = Object.keys(amenityLabels) as [Amenity, ...Amenity[]]
