import type { BusinessSummary } from '#contracts/businesses.ts'
import { formatNumber, numberFormat } from '#web/lib/format.ts'
import type { Units } from '#web/lib/units.ts'

type DistanceUnit = Units['distance']

/** By definition (international yard and pound agreement, 1959). */
const kilometersPerMile = 1.609344

const tenths = numberFormat({ minimumFractionDigits: 1, maximumFractionDigits: 1 })

/**
 * "1.4 mi", "12 mi", "2.3 km". Rounded if the pin is only a city or ZIP code: "about 3 mi".
 * Null if the list isn't around a place.
 */
export function distanceText({ distanceMiles, pin }: Pick<BusinessSummary, 'distanceMiles' | 'pin'>, unit: DistanceUnit): string | null {
  if (distanceMiles === null) return null
  const distance = unit === 'mi' ? distanceMiles : distanceMiles * kilometersPerMile
  if (pin?.precision === 'premise' && distance < 10) return `${distance < 0.1 ? 'under 0.1' : tenths.format(distance)} ${unit}`
  const whole = `${formatNumber(Math.max(1, Math.round(distance)))} ${unit}`
  return pin?.precision === 'premise' ? whole : `about ${whole}`
}

/** Radii are defined in miles; kilometers are rounded to two digits: 25 miles are "40 km". */
const round = (miles: number, unit: DistanceUnit) => (unit === 'mi' ? miles : Number((miles * kilometersPerMile).toPrecision(2)))

/** "25 miles", "40 km" */
export const radiusWords = (miles: number, unit: DistanceUnit): string =>
  `${formatNumber(round(miles, unit))} ${unit === 'km' ? 'km' : miles === 1 ? 'mile' : 'miles'}`

/** "25 mi", "40 km" */
export const radiusText = (miles: number, unit: DistanceUnit): string => `${formatNumber(round(miles, unit))} ${unit}`
