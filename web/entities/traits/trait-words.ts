import type { Trait, TraitDirection, TraitKind, TraitSource } from '#contracts/traits.ts'

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
  flower_days: 'Flower days from the harvest',
  wet_weight: 'Wet weight from the harvest',
  dry_weight: 'Dry weight from the harvest',
  wash_yield: 'Wash yield from the harvest',
  lab: 'An analyte from lab results',
}

export const directionWords: Record<TraitDirection, string> = {
  none: 'Not scored',
  max: 'More is better',
  min: 'Less is better',
  target: 'Closer to a target is better',
}

/** "More is better, 1 to 5, weight 3" */
export function judgedWords({ direction, low, high, target, weight, unit }: Trait): string {
  if (direction === 'none') return directionWords.none
  return `${curveWords(direction, { low, high, target, unit })}, weight ${weight}`
}

type Curve = { low?: number | null; high?: number | null; target?: number | null; unit?: string }

/** "Less is better, 7 to 14 days"; "Closer to 2× is better, within 1 to 4×". */
export function curveWords(direction: Exclude<TraitDirection, 'none'>, { low, high, target, unit = '' }: Curve): string {
  const of = unit === '' || unit === '%' || unit === '×' ? unit : ` ${unit}`
  const range = `${low} to ${high}${of}`
  return direction === 'target' ? `Closer to ${target}${of} is better, within ${range}` : `${directionWords[direction]}, ${range}`
}

export function writtenWhere(source: TraitSource): string {
  if (source === 'log_height' || source === 'log_rating') return 'These values come from the grow logs. Correct them there.'
  if (source === 'lab') return 'These values come from lab results. Correct them there.'
  return 'These values come from the harvest. Correct them there.'
}
