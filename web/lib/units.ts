import { toCelsius, toCentimeters, toFahrenheit, toGrams, toInches, toOunces } from '../../agronomy/units.ts'
import type { Preferences } from '../../contracts/preferences.ts'

/** What a person reads and types in; everything is stored in SI. */
export type Units = { [Measure in Exclude<keyof Preferences, 'region'>]: NonNullable<Preferences[Measure]> }

/** What everything is stored in. */
export const storedUnits: Units = { temperature: 'C', length: 'cm', mass: 'g', distance: 'km' }

const inMiles = new Set(['US', 'GB', 'PR', 'LR', 'MM'])
const inFahrenheit = new Set(['US', 'PR', 'LR', 'BS', 'BZ', 'KY', 'PW'])

/**
 * What was chosen, and what is usual in the region for the rest. Heights and weights are metric everywhere until somebody
 * chooses: growers weigh in grams, and the product speaks of centimeters.
 */
export const unitsOf = (preferences: Preferences | undefined, region: string): Units => ({
  temperature: preferences?.temperature ?? (inFahrenheit.has(region) ? 'F' : 'C'),
  length: preferences?.length ?? 'cm',
  mass: preferences?.mass ?? 'g',
  distance: preferences?.distance ?? (inMiles.has(region) ? 'mi' : 'km'),
})

/** What a figure measures, as far as its unit depends on where somebody comes from. */
export type Measure = 'length' | 'temperature' | 'mass' | 'plain'

const names = { cm: 'cm', in: 'in', C: '°C', F: '°F', g: 'g', oz: 'oz' }

export const unitName = (measure: Measure, units: Units): string => (measure === 'plain' ? '' : names[units[measure]])

type Conversion = { toShown(value: number): number; toStored(value: number): number; decimals: number }

/** From and to the units that are not stored. */
const conversions: Record<string, Conversion> = {
  in: { toShown: toInches, toStored: toCentimeters, decimals: 1 },
  F: { toShown: toFahrenheit, toStored: toCelsius, decimals: 1 },
  oz: { toShown: toOunces, toStored: toGrams, decimals: 2 },
}

const conversionOf = (measure: Measure, units: Units): Conversion | undefined =>
  measure === 'plain' ? undefined : conversions[units[measure]]

/** Whether a figure is read in another unit than it is stored in. */
export const isConverted = (measure: Measure, units: Units): boolean => conversionOf(measure, units) !== undefined

/** Never a negative zero. */
const rounded = (value: number, decimals: number) => Math.round(value * 10 ** decimals) / 10 ** decimals + 0

/** A stored value as it is read: two decimals at most, and of inches and °F one. */
export function shown(value: number, measure: Measure, units: Units): number {
  const conversion = conversionOf(measure, units)
  return conversion ? rounded(conversion.toShown(value), conversion.decimals) : rounded(value, 2)
}

/** What was typed, in SI. Two decimals of a centimeter, a degree or a gram are more than anybody measures, and give back what was typed. */
export function stored(value: number, measure: Measure, units: Units): number {
  const conversion = conversionOf(measure, units)
  return conversion ? rounded(conversion.toStored(value), 2) : value
}

/** A figure as people type it, with a decimal point or comma; null for nothing, NaN for what is none. */
export function typedNumber(text: string): number | null {
  const plain = text.trim().replace(/^(-?\d*),(\d+)$/, '$1.$2')
  if (plain === '') return null
  return /^-?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : Number.NaN
}
