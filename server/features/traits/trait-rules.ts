import { type NewTrait, type Trait, type TraitKind, type TraitSource, traitKindOfSource } from '../../../contracts/traits.ts'
import { invalidInput } from '../../kernel/errors.ts'

type Stated = Pick<
  NewTrait & Trait,
  'kind' | 'source' | 'analyte' | 'options' | 'direction' | 'low' | 'high' | 'target' | 'fromStage' | 'toStage'
>

const choosesFromOptions = (kind: TraitKind) => kind === 'ordinal' || kind === 'category' || kind === 'checks'
const hasNumbers = (kind: TraitKind) => kind === 'ordinal' || kind === 'number'

/** Whether everything that a trait says of itself fits together. @throws AppError invalid_input that names every field that does not */
export function requireSoundTrait(trait: Stated): void {
  const issues: { path: PropertyKey[]; message: string }[] = []
  const issue = (field: keyof Stated, message: string) => issues.push({ path: [field], message })
  const { kind, source, options, direction, low, high, target } = trait

  if (source !== 'observation' && kind !== traitKindOfSource) issue('kind', 'What comes from logs, harvests and labs is a number')
  if ((source === 'lab') !== (trait.analyte !== null && trait.analyte !== '')) {
    issue('analyte', source === 'lab' ? 'Say which analyte, as the lab calls it' : 'Only a trait from a lab has an analyte')
  }
  if (choosesFromOptions(kind)) {
    if (options.length < 2) issue('options', kind === 'ordinal' ? 'Write at least two anchors' : 'Write at least two options')
    if (new Set(options.map(({ value }) => value)).size < options.length) issue('options', 'Each option needs a value of its own')
    if (new Set(options.map(({ label }) => label.toLowerCase())).size < options.length) issue('options', 'Two options say the same')
  } else if (options.length > 0) issue('options', 'Only scales and lists have options')
  if (direction !== 'none') {
    if (!hasNumbers(kind)) issue('direction', 'Only numbers and scales can be scored')
    if (low === null) issue('low', 'Say where it is worth nothing or all')
    if (high === null) issue('high', 'Say where it is worth nothing or all')
    if (low !== null && high !== null && low >= high) issue('high', 'Must be above the lower end')
    if (direction === 'target') {
      if (target === null) issue('target', 'Say which value is the best')
      else if (low !== null && high !== null && (target < low || target > high)) issue('target', 'Must lie between both ends')
    }
  }
  if (issues.length > 0) throw invalidInput(issues)
}

/** What a source's numbers are in. */
export const unitsOfSources: Record<Exclude<TraitSource, 'observation' | 'lab'>, string> = {
  log_height: 'cm',
  log_rating: '',
  flower_days: 'days',
  wet_weight: 'g',
  dry_weight: 'g',
  wash_yield: '%',
}
