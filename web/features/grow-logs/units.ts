import { useSyncExternalStore } from 'react'
import { toCelsius, toCentimeters, toFahrenheit, toInches } from '../../../agronomy/units.ts'

export type Units = 'metric' | 'us'

const storageKey = 'growing-units'
const listeners = new Set<() => void>()
let chosen: Units | null = null

/** Metric until somebody chooses: heights are in cm wherever the product speaks of them. */
function read(): Units {
  try {
    return localStorage.getItem(storageKey) === 'us' ? 'us' : 'metric'
  } catch {
    return 'metric'
  }
}

export const getUnits = (): Units => {
  chosen ??= read()
  return chosen
}

export function setUnits(units: Units): void {
  chosen = units
  try {
    localStorage.setItem(storageKey, units)
  } catch {
    // It holds for this visit.
  }
  for (const listener of listeners) listener()
}

function onUnits(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** What a person reads and types in; everything is stored in SI. */
export const useUnits = (): Units => useSyncExternalStore(onUnits, getUnits)

/** What a figure measures, as far as its unit depends on where somebody comes from. */
export type Measure = 'length' | 'temperature' | 'plain'

export const unitName = (measure: Measure, units: Units): string =>
  measure === 'length' ? (units === 'us' ? 'in' : 'cm') : measure === 'temperature' ? (units === 'us' ? '°F' : '°C') : ''

const toShown = { length: toInches, temperature: toFahrenheit, plain: (value: number) => value }
const toStored = { length: toCentimeters, temperature: toCelsius, plain: (value: number) => value }

/** Never a negative zero. */
const rounded = (value: number, decimals: number) => Math.round(value * 10 ** decimals) / 10 ** decimals + 0

/** A stored value as it is read, with at most one decimal where it was converted and two where it was not. */
export function shown(value: number, measure: Measure, units: Units): number {
  return units === 'us' && measure !== 'plain' ? rounded(toShown[measure](value), 1) : rounded(value, 2)
}

/** What was typed, in SI. Two decimals of a centimeter or a degree are more than anybody measures, and give back what was typed. */
export function stored(value: number, measure: Measure, units: Units): number {
  return units === 'us' && measure !== 'plain' ? rounded(toStored[measure](value), 2) : value
}

/** A figure as people type it, with a decimal point or comma; null for nothing, NaN for what is none. */
export function typedNumber(text: string): number | null {
  const plain = text.trim().replace(/^(-?\d*),(\d+)$/, '$1.$2')
  if (plain === '') return null
  return /^-?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : Number.NaN
}
