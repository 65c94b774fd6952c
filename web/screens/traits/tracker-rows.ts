import { type Desirability, desirabilityOf } from '#agronomy/desirability.ts'
import { meanOfPlants } from '#agronomy/statistics.ts'
import type { ObservedValue } from '#contracts/observations.endpoints.ts'
import type { Genotype } from '#contracts/plants.ts'
import type { TraitRecord } from '#contracts/trait-records.ts'
import type { Trait } from '#contracts/traits.ts'
import type { MatrixCell, MatrixGenotype, MatrixTrait } from '#web/entities/growing-plots/matrix-rows.ts'
import type { PlotTrait, TraitValues, YieldPotency } from '#web/entities/growing-plots/tracker-plot-rows.ts'
import type { PendingWrite } from '#web/entities/offline/use-outbox.ts'
import { formatValue } from '#web/entities/traits/trait-words.ts'
import { counted } from '#web/lib/format.ts'

export type TrackerGenotype = Pick<Genotype, 'id' | 'number' | 'label' | 'standing'> & { plants: readonly { id: string }[] }

export type TrackerCell = MatrixCell & {
  /** Null unless the trait is numeric. */
  number: number | null
  plants: number
  /** True if a plant was below a lab's limit, so the number includes a substitute value. */
  isBelowLimit: boolean
}

export type TrackerRow = { genotype: TrackerGenotype; name: string; isKeeper: boolean; cells: Readonly<Record<string, TrackerCell>> }

export type Tracker = { traits: readonly Trait[]; rows: readonly TrackerRow[] }

const isNumeric = ({ kind }: Pick<Trait, 'kind'>): boolean => kind === 'number' || kind === 'ordinal'

export function desirabilityFor(trait: Pick<Trait, 'direction' | 'low' | 'high' | 'target'>): Desirability | null {
  const { direction, low, high, target } = trait
  if (direction === 'none' || low === null || high === null || low > high) return null
  if (direction !== 'target') return desirabilityOf({ direction, low, high })
  return target === null || target < low || target > high ? null : desirabilityOf({ direction, low, high, target })
}

/**
 * For the matrix, the plots and the downloads. Repeated measurements of a plant count once: a genotype's number is the mean of its plants'
 * means. Missing measurements are absent, never zero.
 * @param records current ones only
 */
export function trackerOf(traits: readonly Trait[], genotypes: readonly TrackerGenotype[], records: readonly TraitRecord[]): Tracker {
  const shown = traits.filter(({ isArchived }) => !isArchived)
  const byCell = Map.groupBy(records, ({ genotypeId, traitId }) => `${genotypeId} ${traitId}`)
  const worth = new Map(shown.map((trait) => [trait.id, isNumeric(trait) ? desirabilityFor(trait) : null]))
  const rows = genotypes.map((genotype): TrackerRow => {
    const cells: Record<string, TrackerCell> = {}
    for (const trait of shown) {
      const cell = cellOf(trait, byCell.get(`${genotype.id} ${trait.id}`) ?? [], worth.get(trait.id) ?? null)
      if (cell) cells[trait.id] = cell
    }
    const isKeeper = genotype.standing === 'keep' || genotype.standing === 'breed'
    return { genotype, name: nameOf(genotype), isKeeper, cells }
  })
  return { traits: shown, rows }
}

const nameOf = ({ number, label }: TrackerGenotype): string => (label === '' ? `#${number}` : `#${number} ${label}`)

function cellOf(trait: Trait, records: readonly TraitRecord[], worth: Desirability | null): TrackerCell | null {
  const plants = [...Map.groupBy(records, ({ plantId }) => plantId).values()]
  if (plants.length === 0) return null
  const isBelowLimit = records.some((record) => record.isBelowLimit === true)
  if (!isNumeric(trait)) {
    // Show the latest value of each plant, but count photos.
    const last = plants.flatMap((of) => newestOf(of) ?? [])
    const words =
      trait.kind === 'photo'
        ? photosWords(records.length)
        : [...new Set(last.map((record) => formatValue(trait, record)))].sort().join(', ')
    return { value: words, number: null, desirability: null, plants: plants.length, isBelowLimit }
  }
  const measured = meanOfPlants(records)
  if (!measured) return null
  const { mean: number } = measured
  return { value: number, number, desirability: worth?.(number) ?? null, plants: measured.plants, isBelowLimit }
}

const photosWords = (count: number): string => counted(count, 'photo')

const newestOf = (records: readonly TraitRecord[]): TraitRecord | undefined =>
  records.reduce<TraitRecord | undefined>((newest, record) => (newest && newest.on >= record.on ? newest : record), undefined)

const standingLabels = { keep: 'Keep', retest: 'Retest', cull: 'Cull', breed: 'Breed with' } as const

export const matrixTraits = ({ traits }: Tracker): MatrixTrait[] =>
  traits.map(({ id, name, unit, direction }) => ({ id, name, unit, direction: direction === 'none' ? null : direction }))

export const matrixGenotypes = ({ rows }: Tracker): MatrixGenotype[] =>
  rows.map(({ genotype, name, isKeeper, cells }) => ({
    genotypeId: genotype.id,
    name,
    isKeeper,
    cells,
    ...(genotype.standing && !isKeeper ? { note: standingLabels[genotype.standing] } : {}),
  }))

export const plotTraits = ({ traits }: Tracker): PlotTrait[] =>
  traits.flatMap(({ id, name, unit, direction, target, kind }) =>
    direction === 'none' || !isNumeric({ kind })
      ? []
      : [{ id, name, unit, direction, ...(direction === 'target' && target !== null ? { target } : {}) }],
  )

export const plotValues = ({ rows }: Tracker): TraitValues[] =>
  rows.map(({ genotype, name, isKeeper, cells }) => ({
    genotypeId: genotype.id,
    name,
    isKeeper,
    values: Object.fromEntries(Object.entries(cells).map(([traitId, { number }]) => [traitId, number])),
  }))

export const axisTraits = ({ traits }: Tracker): Trait[] => traits.filter(isNumeric)

/** Yield is dry weight, or else wet weight, or else wash yield. Potency is THC, or else the first lab trait. */
export function usualAxes(traits: readonly Trait[]): { yieldId: string | null; potencyId: string | null } {
  const first = (...tests: ((trait: Trait) => boolean)[]) =>
    tests.map((test) => traits.find(test)).find((trait) => trait !== undefined)?.id ?? null
  return {
    yieldId: first(
      ({ source }) => source === 'dry_weight',
      ({ source }) => source === 'wet_weight',
      ({ source }) => source === 'wash_yield',
    ),
    potencyId: first(
      ({ analyte }) => /thc/i.test(analyte ?? ''),
      ({ source }) => source === 'lab',
    ),
  }
}

export const yieldPotency = ({ rows }: Tracker, yieldId: string, potencyId: string): YieldPotency[] =>
  rows.flatMap(({ genotype, name, isKeeper, cells }) => {
    const [x, y] = [cells[yieldId]?.number, cells[potencyId]?.number]
    return typeof x === 'number' && typeof y === 'number' ? [{ genotypeId: genotype.id, name, isKeeper, yield: x, potency: y }] : []
  })

/**
 * Adds pending observations as if they had arrived. A correction of the person's own score from the same day replaces that score, and so
 * does an import's only value for that day. Other corrections are left out, because the device can't determine what they replace.
 */
export function withPending(
  records: readonly TraitRecord[],
  writes: readonly Pick<PendingWrite, 'body' | 'hold'>[],
  genotypeOf: ReadonlyMap<string, string>,
): TraitRecord[] {
  const scoreOf = ({ traitId, plantId, on }: Pick<TraitRecord, 'traitId' | 'plantId' | 'on'>) => `${traitId} ${plantId} ${on}`
  const corrected = new Set<string>()
  let added: TraitRecord[] = []
  const queued = writes
    .filter(({ hold }) => hold === null)
    .flatMap(({ body }) => {
      const sent = Array.isArray(body.observations) ? (body.observations as Queued[]) : []
      const ofDay = Map.groupBy(sent, (each) => scoreOf({ ...each, on: each.observedOn }))
      const isOnly = (each: Queued) => ofDay.get(scoreOf({ ...each, on: each.observedOn }))?.length === 1
      return sent.map((each) => ({ ...each, replaces: each.sameDay === 'correct' || (each.sameDay === 'once' && isOnly(each)) }))
    })
  for (const { traitId, plantId, observedOn: on, value, correctsId, isBlind, replaces } of queued) {
    const genotypeId = genotypeOf.get(plantId)
    if (genotypeId === undefined) continue
    if (replaces) {
      const score = scoreOf({ traitId, plantId, on })
      corrected.add(score)
      added = added.filter((record) => scoreOf(record) !== score)
    } else if (correctsId !== null) continue
    if (value === null || value.kind === 'photo') continue
    const { kind: _, ...said } = value
    added.push({ traitId, plantId, genotypeId, runId: null, observer: null, isOwn: true, on, ...said, ...(isBlind && { isBlind }) })
  }
  return [...records.filter((record) => !record.isOwn || !corrected.has(scoreOf(record))), ...added]
}

type Queued = {
  traitId: string
  plantId: string
  observedOn: string
  value: ObservedValue | null
  correctsId: string | null
  isBlind: boolean
  sameDay: 'add' | 'correct' | 'once'
}
