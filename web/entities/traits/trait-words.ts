import type { Observation, ObservedValue } from '#contracts/observations.endpoints.ts'
import type { Trait, TraitDirection, TraitKind, TraitOption, TraitSource } from '#contracts/traits.ts'
import { choiceWords } from '#web/lib/format.ts'
import { typedNumber, withUnit } from '#web/lib/units.ts'

export const kindWords: Record<TraitKind, string> = {
  ordinal: 'Scale with anchors',
  number: 'Number with a unit',
  date: 'Date',
  category: 'One from a list',
  checks: 'Check all that apply',
  photo: 'Photo',
}

export const sourceWords: Record<TraitSource, string> = {
  observation: 'Scored here',
  log_height: 'Last height from the grow logs',
  log_rating: 'Ratings from the grow logs',
  rooting_days: 'Cut and rooted dates of clones',
  flower_days: 'Flower days from the harvest',
  wet_weight: 'Wet weight from the harvest',
  dry_weight: 'Dry weight from the harvest',
  wash_yield: 'Wash yield from the harvest',
  lab: 'An analyte from lab results',
}

/** "Number (×)", "Dry weight from the harvest (g)" */
export function takenWords({ source, kind, unit }: Pick<Trait, 'source' | 'kind' | 'unit'>): string {
  const words = source !== 'observation' ? sourceWords[source] : kind === 'number' ? 'Number' : kindWords[kind]
  return unit === '' ? words : `${words} (${unit})`
}

/** "Stretch (×)", but not "Rooting days (days)". */
export const nameWithUnit = ({ name, unit }: Pick<Trait, 'name' | 'unit'>): string =>
  unit === '' || name.toLowerCase().endsWith(` ${unit.toLowerCase()}`) ? name : `${name} (${unit})`

export const directionWords: Record<TraitDirection, string> = {
  none: 'Not scored',
  max: 'More is better',
  min: 'Less is better',
  target: 'Closer to a target is better',
}

/** Traits that would count in the ranking if they had a direction. */
export const isUncounted = ({ direction, kind, isArchived }: Pick<Trait, 'direction' | 'kind' | 'isArchived'>): boolean =>
  direction === 'none' && !isArchived && (kind === 'number' || kind === 'ordinal')

/** "More is better, 1 to 5, weight 3" */
export function judgedWords(trait: Trait): string {
  const { direction, low, high, target, weight, unit } = trait
  if (isUncounted(trait)) return 'Doesn’t count in the ranking until you choose which values are better'
  if (direction === 'none') return directionWords.none
  return `${curveWords(direction, { low, high, target, unit })}, weight ${weight}`
}

type Curve = { low?: number | null; high?: number | null; target?: number | null; unit?: string }

/** "Less is better, 7 to 14 days"; "Closer to 2× is better, from 1 to 4×". */
export function curveWords(direction: Exclude<TraitDirection, 'none'>, { low, high, target, unit = '' }: Curve): string {
  const range = `${low} to ${withUnit(`${high}`, unit)}`
  return direction === 'target'
    ? `Closer to ${withUnit(`${target}`, unit)} is better, from ${range}`
    : `${directionWords[direction]}, ${range}`
}

export function sourceHint(source: TraitSource): string {
  if (source === 'log_height' || source === 'log_rating') return 'These values come from the grow logs. Correct them there.'
  if (source === 'rooting_days') {
    return 'Calculated from the cut and rooted dates of clones. A value you add replaces the one calculated from its plant’s dates.'
  }
  if (source === 'lab') return 'These values come from lab results. Correct them there.'
  return 'These values come from the harvest. Correct them there.'
}

/**
 * The current state of the trait that a form was opened with. If someone archives or deletes the trait while values are being typed, they
 * stay on the page. Values of an archived trait can still be saved.
 */
export type OpenedTrait = { trait: Trait; removed: 'archived' | 'deleted' | null }

export function openedTrait(opened: Trait, traits: readonly Trait[]): OpenedTrait {
  const now = traits.find(({ id }) => id === opened.id)
  return { trait: now ?? opened, removed: now ? (now.isArchived ? 'archived' : null) : 'deleted' }
}

export function removedHint({ trait: { name }, removed }: OpenedTrait): string | null {
  if (removed === null) return null
  return removed === 'deleted'
    ? `“${name}” was deleted, so its values can’t be saved. Copy what you need.`
    : `“${name}” was archived. You can still save its values. They’ll appear again once you restore it under Traits.`
}

export type Kind = Pick<Trait, 'kind' | 'options' | 'unit'>

/** The trait's kind determines which of the four fields is set. */
export type TraitValue = {
  number?: number | null | undefined
  date?: string | null | undefined
  options?: readonly number[] | null | undefined
  photo?: unknown
}

const labelOf = (options: readonly TraitOption[], value: number): string | undefined =>
  options.find((option) => option.value === value)?.label

/** Separated by semicolons if a label contains a comma, so that `readValue` finds the same labels. */
function joinedLabels(options: readonly TraitOption[], values: readonly number[]): string {
  const separator = options.some(({ label }) => label.includes(',')) ? '; ' : ', '
  return values.map((value) => labelOf(options, value) ?? `${value}`).join(separator)
}

/** "4 · strong", "41.5 cm" or "citrus, gas", for display. Empty without a value. */
export function formatValue({ kind, options, unit }: Kind, seen: TraitValue): string {
  if (typeof seen.number === 'number') {
    const label = kind === 'ordinal' ? labelOf(options, seen.number) : undefined
    return label ? `${seen.number} · ${label}` : withUnit(seen.number, unit)
  }
  if (seen.date) return seen.date
  if (seen.options) return seen.options.length === 0 ? 'none' : joinedLabels(options, seen.options)
  return seen.photo ? 'Photo' : ''
}

export function observedValueOf({ number, date, options }: Pick<Observation, 'number' | 'date' | 'options'>): ObservedValue | null {
  if (number !== null) return { kind: 'number', number }
  if (date !== null) return { kind: 'date', date }
  return options === null ? null : { kind: 'options', options }
}

type ReadValue = { value: ObservedValue } | { error: string }

/**
 * Parses a typed or pasted cell. Accepts numbers with a decimal point or comma and an optional unit, a scale's number or label, days as
 * 2026-11-21 or 11/21/2026, and option labels separated by commas or semicolons. Null if empty.
 */
export function readValue(trait: Kind, typed: string): ReadValue | null {
  const text = typed.trim()
  if (text === '') return null
  switch (trait.kind) {
    case 'number':
      return readNumber(trait, text)
    case 'ordinal':
      return readStep(trait, text)
    case 'date':
      return readDay(text)
    case 'category':
    case 'checks':
      return readOptions(trait, text)
    case 'photo':
      return { error: 'Add photos in the walk' }
  }
}

function readNumber({ unit }: Kind, text: string): ReadValue {
  const plain = unit !== '' && text.toLowerCase().endsWith(unit.toLowerCase()) ? text.slice(0, -unit.length).trim() : text
  const number = figure(plain)
  return number === null ? { error: unit === '' ? 'Enter a number' : `Enter a number in ${unit}` } : { value: { kind: 'number', number } }
}

/** Null unless the text is a number. */
export function figure(text: string): number | null {
  const number = typedNumber(text)
  return Number.isNaN(number) ? null : number
}

function readStep({ options }: Kind, text: string): ReadValue {
  const number = figure(text.split('·')[0] ?? '')
  const found = options.find((option) => option.value === number) ?? byWords(options, text)
  return found
    ? { value: { kind: 'number', number: found.value } }
    : { error: `Enter ${choiceWords(options.map(({ value }) => `${value}`))}` }
}

const byWords = (options: readonly TraitOption[], text: string) =>
  options.find(({ label }) => label.toLowerCase() === text.trim().toLowerCase())

function readDay(text: string): ReadValue {
  const us = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text)
  const day = us ? `${us[3]}-${us[1]?.padStart(2, '0')}-${us[2]?.padStart(2, '0')}` : text
  return isDay(day) ? { value: { kind: 'date', date: day } } : { error: 'Enter a date such as 2026-11-21' }
}

export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) && text >= '1900'
}

function readOptions({ kind, options }: Kind, text: string): ReadValue {
  if (kind === 'checks' && text.toLowerCase() === 'none') return { value: { kind: 'options', options: [] } }
  const values = new Set<number>()
  // A label may contain a separator, so look for the longest label at each position.
  const longestFirst = options.toSorted((a, b) => b.label.length - a.label.length)
  for (let left = text; left !== ''; ) {
    const found = longestFirst.find(({ label }) => startsWithWord(left, label))
    const word = found?.label ?? (/^[^,;]*/.exec(left)?.[0] as string)
    if (found) values.add(found.value)
    else if (word !== '') return { error: `“${word.trim()}” isn’t one of the options` }
    left = left.slice(word.length).replace(/^\s*[,;]?\s*/, '')
  }
  if (kind === 'category' && values.size !== 1) return { error: 'Choose only one option' }
  return { value: { kind: 'options', options: [...values] } }
}

/** Whether the text starts with this label, followed by a separator or the end. */
const startsWithWord = (text: string, label: string): boolean =>
  text.toLowerCase().startsWith(label.toLowerCase()) && /^\s*([,;]|$)/.test(text.slice(label.length))

/** Inverse of `readValue`, for editable cells. */
export function valueText({ kind, options }: Kind, seen: TraitValue): string {
  if (typeof seen.number === 'number') return `${seen.number}`
  if (seen.date) return seen.date
  if (!seen.options) return ''
  return kind === 'checks' && seen.options.length === 0 ? 'none' : joinedLabels(options, seen.options)
}
