import { toCelsius, toCentimeters, toFahrenheit, toGrams, toInches, toOunces } from '#agronomy/units.ts'
import type { Preferences } from '#contracts/settings.ts'

/** Units for display and input; everything is stored in SI units. */
export type Units = { [Measure in Exclude<keyof Preferences, 'region'>]: NonNullable<Preferences[Measure]> }

export const storedUnits: Units = { temperature: 'C', length: 'cm', mass: 'g', distance: 'km' }

const inMiles = new Set(['US', 'GB', 'PR', 'LR', 'MM'])
const inFahrenheit = new Set(['US', 'PR', 'LR', 'BS', 'BZ', 'KY', 'PW'])

/**
 * The chosen units, with regional defaults for the rest. Heights and weights default to metric everywhere: growers weigh in grams, and the
 * product uses centimeters.
 */
export const unitsOf = (preferences: Preferences | undefined, region: string): Units => ({
  temperature: preferences?.temperature ?? (inFahrenheit.has(region) ? 'F' : 'C'),
  length: preferences?.length ?? 'cm',
  mass: preferences?.mass ?? 'g',
  distance: preferences?.distance ?? (inMiles.has(region) ? 'mi' : 'km'),
})

/** What a figure measures, if its unit can be chosen. */
export type Measure = 'length' | 'temperature' | 'mass' | 'plain'

const names = { cm: 'cm', in: 'in', C: '°C', F: '°F', g: 'g', oz: 'oz' }

export const unitName = (measure: Measure, units: Units): string => (measure === 'plain' ? '' : names[units[measure]])

type Conversion = { toShown(value: number): number; toStored(value: number): number; decimals: number }

const conversions: Record<string, Conversion> = {
  in: { toShown: toInches, toStored: toCentimeters, decimals: 1 },
  F: { toShown: toFahrenheit, toStored: toCelsius, decimals: 1 },
  oz: { toShown: toOunces, toStored: toGrams, decimals: 2 },
}

const conversionOf = (measure: Measure, units: Units): Conversion | undefined =>
  measure === 'plain' ? undefined : conversions[units[measure]]

/** Whether a figure is displayed in a different unit than it is stored in. */
export const isConverted = (measure: Measure, units: Units): boolean => conversionOf(measure, units) !== undefined

/** Avoids negative zero. */
const rounded = (value: number, decimals: number) => Math.round(value * 10 ** decimals) / 10 ** decimals + 0

/** Converts a stored value for display: at most two decimals, one for inches and °F. */
export function shown(value: number, measure: Measure, units: Units): number {
  const conversion = conversionOf(measure, units)
  return conversion ? rounded(conversion.toShown(value), conversion.decimals) : rounded(value, 2)
}

/** Converts input to SI. Two decimals of a centimeter, a degree or a gram exceed any measurement and restore the typed value. */
export function stored(value: number, measure: Measure, units: Units): number {
  const conversion = conversionOf(measure, units)
  return conversion ? rounded(conversion.toStored(value), 2) : value
}

/** Parses a number with a decimal point or comma; null if empty, NaN if invalid. */
export function typedNumber(text: string): number | null {
  const plain = text.trim().replace(/^(-?\d*),(\d+)$/, '$1.$2')
  if (plain === '') return null
  return /^-?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : Number.NaN
}
