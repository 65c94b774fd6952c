import { NewTrait, type Trait, type TraitChange, type TraitOption } from '#contracts/traits.ts'
import { figure } from '#web/entities/traits/trait-words.ts'

export type TraitValues = {
  name: string
  kind: Trait['kind']
  source: Trait['source']
  analyte: string
  unit: string
  options: TraitOption[]
  direction: Trait['direction']
  low: string
  high: string
  target: string
  weight: string
  heritability: string
  /** Bounds and options that rule a pheno out. For a date trait, any date rules it out. */
  mustMin: string
  mustMax: string
  mustNot: number[]
  isMust: boolean
  fromStage: string
  toStage: string
  isExpert: boolean
}

const text = (number: number | null) => (number === null ? '' : `${number}`)

export const valuesOf = (trait: Trait | null): TraitValues => ({
  name: trait?.name ?? '',
  kind: trait?.kind ?? 'ordinal',
  source: trait?.source ?? 'observation',
  analyte: trait?.analyte ?? '',
  unit: trait?.unit ?? '',
  options: trait?.options ?? [1, 2, 3, 4, 5].map((value) => ({ value, label: '' })),
  direction: trait?.direction ?? 'none',
  low: text(trait?.low ?? null),
  high: text(trait?.high ?? null),
  target: text(trait?.target ?? null),
  weight: text(trait?.weight ?? 1),
  heritability: text(trait?.heritability ?? null),
  mustMin: text(trait?.must?.min ?? null),
  mustMax: text(trait?.must?.max ?? null),
  mustNot: trait?.must?.not ?? [],
  isMust: trait?.must != null,
  fromStage: trait?.fromStage ?? '',
  toStage: trait?.toStage ?? '',
  isExpert: trait?.isExpert ?? false,
})

export const hasOptions = (kind: Trait['kind']): boolean => kind === 'ordinal' || kind === 'category' || kind === 'checks'
export const isScorable = (kind: Trait['kind']): boolean => kind === 'ordinal' || kind === 'number'

const number = (typed: string): number | null => (typed.trim() === '' ? null : (figure(typed) ?? Number.NaN))

/** Leaves out fields that don't apply to the kind, even if someone filled them in before choosing it. */
export function statedOf(values: TraitValues): Record<string, unknown> {
  const isObserved = values.source === 'observation'
  const kind = isObserved ? values.kind : 'number'
  const isJudged = isScorable(kind) && values.direction !== 'none'
  return {
    name: values.name,
    kind,
    source: values.source,
    analyte: values.source === 'lab' ? values.analyte : null,
    unit: kind === 'number' ? values.unit : '',
    options: hasOptions(kind) ? values.options.filter(({ label }) => label.trim() !== '') : [],
    direction: isJudged ? values.direction : 'none',
    low: isJudged ? number(values.low) : null,
    high: isJudged ? number(values.high) : null,
    target: isJudged && values.direction === 'target' ? number(values.target) : null,
    weight: isJudged ? (number(values.weight) ?? 0) : 0,
    heritability: isJudged ? number(values.heritability) : null,
    must: mustOf(values, kind),
    fromStage: values.fromStage === '' ? null : values.fromStage,
    toStage: values.toStage === '' ? null : values.toStage,
    isExpert: values.isExpert,
  }
}

function mustOf({ mustMin, mustMax, mustNot, isMust, options }: TraitValues, kind: Trait['kind']): unknown {
  const none = { min: null, max: null, not: [] }
  if (kind === 'date') return isMust ? none : null
  if (isScorable(kind)) {
    const must = { ...none, min: number(mustMin), max: number(mustMax) }
    return must.min === null && must.max === null ? null : must
  }
  const not = mustNot.filter((value) => options.some((option) => option.value === value && option.label.trim() !== ''))
  return hasOptions(kind) && not.length > 0 ? { ...none, not } : null
}

export function readTrait(values: TraitValues): { trait: NewTrait } | { errors: Record<string, string> } {
  const read = NewTrait.safeParse(statedOf(values))
  if (read.success) return { trait: read.data }
  const errors: Record<string, string> = {}
  for (const { path, message } of read.error.issues) {
    const field = path[0] === 'must' ? (path[1] === 'max' ? 'mustMax' : 'mustMin') : String(path[0])
    errors[field] ??= message
  }
  return { errors }
}

export function changeOf({ kind: _kind, source: _source, analyte: _analyte, id: _id, ...stated }: NewTrait, version: number): TraitChange {
  return { ...stated, version }
}

export const nextOption = (options: readonly TraitOption[]): TraitOption => ({
  value: options.length === 0 ? 1 : Math.max(...options.map(({ value }) => value)) + 1,
  label: '',
})
