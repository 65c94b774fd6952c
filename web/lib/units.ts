import { distanceFigure, kilometersPerMile } from '#contracts/businesses.rules.ts'
import type { BusinessSummary } from '#contracts/businesses.ts'
import type { Preferences } from '#contracts/settings.ts'
import { useCurrentUser } from './current-user.ts'
import { formatNumber, getRegion, numberFormat } from './format.ts'

/** Units that a person sees and types. */
export type Units = { [Kind in Exclude<keyof Preferences, 'region'>]: NonNullable<Preferences[Kind]> }

export const storedUnits: Units = { temperature: 'C', length: 'cm', mass: 'g', distance: 'km' }

const inMiles = new Set(['US', 'GB', 'PR', 'LR', 'MM'])
const inFahrenheit = new Set(['US', 'PR', 'LR', 'BS', 'BZ', 'KY', 'PW'])

/**
 * Fills in regional defaults. Heights and weights default to metric everywhere: growers weigh in grams, and the product uses centimeters.
 */
export const unitsOf = (preferences: Preferences | undefined, region: string): Units => ({
  temperature: preferences?.temperature ?? (inFahrenheit.has(region) ? 'F' : 'C'),
  length: preferences?.length ?? 'cm',
  mass: preferences?.mass ?? 'g',
  distance: preferences?.distance ?? (inMiles.has(region) ? 'mi' : 'km'),
})

export type Measure = 'length' | 'temperature' | 'mass' | 'plain'

const names = { cm: 'cm', in: 'in', C: '°C', F: '°F', g: 'g', oz: 'oz' }

export const unitName = (measure: Measure, units: Units): string => (measure === 'plain' ? '' : names[units[measure]])

/** "124 cm", "21.4%", "2×", "4". */
export const withUnit = (value: number | string, unit: string): string => `${value}${['', '%', '×'].includes(unit) ? '' : ' '}${unit}`

// Values are stored in °C, cm and g; °F, inches and ounces are only for display and input. These conversions don't round.

export const toFahrenheit = (celsius: number) => (celsius * 9) / 5 + 32
export const toCelsius = (fahrenheit: number) => ((fahrenheit - 32) * 5) / 9

/** By definition (international yard and pound agreement, 1959). */
const centimetersPerInch = 2.54
const gramsPerOunce = 28.349523125

export const toInches = (centimeters: number) => centimeters / centimetersPerInch
export const toCentimeters = (inches: number) => inches * centimetersPerInch
export const toOunces = (grams: number) => grams / gramsPerOunce
export const toGrams = (ounces: number) => ounces * gramsPerOunce

type Conversion = { toShown(value: number): number; toStored(value: number): number; decimals: number }

const conversions: Record<string, Conversion> = {
  in: { toShown: toInches, toStored: toCentimeters, decimals: 1 },
  F: { toShown: toFahrenheit, toStored: toCelsius, decimals: 1 },
  oz: { toShown: toOunces, toStored: toGrams, decimals: 2 },
}

const conversionOf = (measure: Measure, units: Units): Conversion | undefined =>
  measure === 'plain' ? undefined : conversions[units[measure]]

export const isConverted = (measure: Measure, units: Units): boolean => conversionOf(measure, units) !== undefined

/** Adding 0 turns −0 into 0. */
const rounded = (value: number, decimals: number) => Math.round(value * 10 ** decimals) / 10 ** decimals + 0

export function shown(value: number, measure: Measure, units: Units): number {
  const conversion = conversionOf(measure, units)
  return conversion ? rounded(conversion.toShown(value), conversion.decimals) : rounded(value, 2)
}

/** Two decimals of a centimeter, a degree or a gram are enough to restore the typed value. */
export function stored(value: number, measure: Measure, units: Units): number {
  const conversion = conversionOf(measure, units)
  return conversion ? rounded(conversion.toStored(value), 2) : value
}

/** Accepts a decimal point or comma, and "1,200" in regions with a decimal point; null if empty, NaN if invalid. */
export function typedNumber(text: string): number | null {
  const typed = text.trim()
  const isGrouped = /^-?[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/.test(typed) && formatNumber(0.5) === '0.5'
  const plain = isGrouped ? typed.replaceAll(',', '') : typed.replace(/^(-?\d*),(\d+)$/, '$1.$2')
  if (plain === '') return null
  return /^-?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : Number.NaN
}

/** Visitors get the units of their device's region. */
export function useUnits(): Units {
  const preferences = useCurrentUser()?.preferences
  return unitsOf(preferences, preferences?.region ?? getRegion())
}

type DistanceUnit = Units['distance']

type Located = { distanceMiles: number | null; pin: Pick<NonNullable<BusinessSummary['pin']>, 'precision'> | null }

const tenths = numberFormat({ minimumFractionDigits: 1, maximumFractionDigits: 1 })

/**
 * "1.4 mi", "12 mi" or "2.3 km". If the pin is only a city or ZIP code, rounds to "about 3 mi". Null if the list isn't centered on a place.
 */
export function distanceText({ distanceMiles, pin }: Located, unit: DistanceUnit): string | null {
  if (distanceMiles === null) return null
  const distance = unit === 'mi' ? distanceMiles : distanceMiles * kilometersPerMile
  return `${distanceFigure(distance, pin?.precision ?? null, { tenths: tenths.format, whole: formatNumber })} ${unit}`
}

/** Radii are defined in miles. Kilometers are rounded to two digits, so 25 miles becomes "40 km". */
const round = (miles: number, unit: DistanceUnit) => (unit === 'mi' ? miles : Number((miles * kilometersPerMile).toPrecision(2)))

/** "25 miles", "40 km" */
export const formatRadius = (miles: number, unit: DistanceUnit): string =>
  `${formatNumber(round(miles, unit))} ${unit === 'km' ? 'km' : miles === 1 ? 'mile' : 'miles'}`

/** "25 mi", "40 km" */
export const radiusText = (miles: number, unit: DistanceUnit): string => `${formatNumber(round(miles, unit))} ${unit}`
