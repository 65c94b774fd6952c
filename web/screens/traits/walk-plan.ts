import type { Run } from '#contracts/runs.endpoints.ts'
import type { TraitRecord } from '#contracts/trait-records.ts'
import { inWalkOrder, type LogPlant, type WalkOrder } from '#web/entities/grow-logs/plant-names.ts'
import { rowLetter } from '#web/entities/growing-plots/bench-map.tsx'
import { localDay } from '#web/lib/time-words.ts'

export type WalkPlan = {
  traitId: string
  /** `all`, `run:` with an ID, or `room:` with a name. */
  where: string
  order: WalkOrder
  day: string
  showsLast: boolean
  /** Blind labels by plant, shown instead of its number. Null in an ordinary walk. */
  labels: Readonly<Record<string, string>> | null
  /** The day when the labels were drawn. Missing in plans stored before this field was added. */
  labeledOn?: string | undefined
  /** When the plan was last changed or started. On another day, `day` no longer applies. */
  usedOn: string
}

export const newPlan = (traitId: string): WalkPlan => ({
  traitId,
  where: 'all',
  order: 'rows',
  day: localDay(),
  showsLast: false,
  labels: null,
  usedOn: localDay(),
})

const keyOf = (huntId: string) => `walk:${huntId}`

/** Sets the plan's day to today if it was last used on another day. Without this, a new walk's scores would correct the earlier day's. */
export const onToday = (plan: WalkPlan, today = localDay()): WalkPlan =>
  plan.usedOn === today ? plan : { ...plan, day: today, usedOn: today }

/** Blind labels remain until they are revealed, because they are on the plants. */
export function storedPlan(huntId: string): WalkPlan | null {
  try {
    const plan = JSON.parse(localStorage.getItem(keyOf(huntId)) ?? 'null') as WalkPlan | null
    if (!plan || typeof plan.where !== 'string' || typeof plan.day !== 'string') return null
    return onToday(plan)
  } catch {
    return null
  }
}

/** @returns whether it was stored; if not, the plan lasts until the page closes */
export function storePlan(huntId: string, plan: WalkPlan): boolean {
  try {
    localStorage.setItem(keyOf(huntId), JSON.stringify(plan))
    return true
  } catch {
    return false
  }
}

type RunName = Pick<Run, 'id' | 'room'>

/** Leaves out rooms with only one run, because the run itself is listed. */
export function placesToWalk(plants: readonly LogPlant[], runs: readonly RunName[]): { value: string; label: string }[] {
  const living = plants.filter(({ isAlive }) => isAlive)
  const runNames = new Map(living.flatMap(({ placement }) => (placement ? [[placement.runId, placement.runName] as const] : [])))
  const rooms = Map.groupBy(
    runs.filter(({ id, room }) => room !== '' && runNames.has(id)),
    ({ room }) => room,
  )
  return [
    ...[...rooms].flatMap(([room, each]) => (each.length > 1 ? [{ value: `room:${room}`, label: room }] : [])),
    ...[...runNames].map(([id, name]) => {
      const room = runs.find((run) => run.id === id)?.room ?? ''
      return { value: `run:${id}`, label: room === '' || room === name ? name : `${name}, ${room}` }
    }),
  ]
}

/** The living plants at this place, or all living plants if it has none. */
export function plantsAt(where: string, plants: readonly LogPlant[], runs: readonly RunName[]): LogPlant[] {
  const living = plants.filter(({ isAlive }) => isAlive)
  const runIds = new Set(runs.filter(({ id, room }) => where === `run:${id}` || where === `room:${room}`).map(({ id }) => id))
  const there = living.filter(({ placement }) => placement && (runIds.has(placement.runId) || where === `run:${placement.runId}`))
  return there.length === 0 ? living : there
}

/** No vowels, so labels don't spell words, and no letters that are easily confused. */
const letters = 'BCDFGHJKMNPRSTVWXZ'

/** Labels have no digits, because people would mistake those for plant numbers. */
export function drawLabels(plantIds: readonly string[], random: () => number = randomShare): Record<string, string> {
  const length = plantIds.length > 150 ? 3 : 2
  const drawn = new Set<string>()
  while (drawn.size < plantIds.length) {
    drawn.add(Array.from({ length }, () => letters[Math.floor(random() * letters.length)]).join(''))
  }
  return Object.fromEntries([...drawn].map((label, i) => [plantIds[i], label]))
}

const randomShare = (): number => (crypto.getRandomValues(new Uint32Array(1))[0] as number) / 2 ** 32

export type Stop = {
  plantId: string
  /** "#7", or its blind label. */
  name: string
  /** "A3 · Tent 2" */
  spot: string
}

/** The living plants at the plan's place. A blind walk includes only labeled ones. */
export function stopsOf(plan: WalkPlan, plants: readonly LogPlant[], runs: readonly RunName[]): Stop[] {
  if (plan.labels !== null) {
    return labeledStops(
      plan,
      plants.filter(({ isAlive }) => isAlive),
    )
  }
  return inWalkOrder(plantsAt(plan.where, plants, runs), plan.order).map((plant) => ({
    plantId: plant.id,
    name: nameOf(plant),
    spot: spotOf(plant),
  }))
}

/** All plants that got a blind label, without anything that would identify them. They may have been harvested since. */
export function labeledStops({ order, labels }: Pick<WalkPlan, 'order' | 'labels'>, plants: readonly LogPlant[]): Stop[] {
  const labeled = plants.filter(({ id }) => labels?.[id] !== undefined)
  const stops = inWalkOrder(labeled, order).map(({ id }) => ({ plantId: id, name: labels?.[id] as string, spot: '' }))
  return order === 'number' ? stops.toSorted((a, b) => (a.name < b.name ? -1 : 1)) : stops
}

const nameOf = ({ name, label }: LogPlant): string => (label === '' ? name : `${name} ${label}`)

function spotOf({ placement }: LogPlant): string {
  if (!placement) return ''
  const { row, column, runName } = placement
  return row === null || column === null ? runName : `${rowLetter(row)}${column} · ${runName}`
}

/** A new score would correct `own`, the viewer's score of the day. `last` is the newest of all others. */
export type StopScores = { own: TraitRecord | null; last: TraitRecord | null }

export function scoresOf(records: readonly TraitRecord[], traitId: string, plantId: string, day: string): StopScores {
  const all = records.filter((record) => record.traitId === traitId && record.plantId === plantId)
  const isOfDay = (record: TraitRecord) => record.isOwn === true && record.on === day
  return {
    own: all.filter(isOfDay).reduce(newestOf, null),
    last: all.filter((record) => !isOfDay(record)).reduce(newestOf, null),
  }
}

const newestOf = (found: TraitRecord | null, record: TraitRecord): TraitRecord => (found && found.on >= record.on ? found : record)

/** The viewer's newest blind score since the labels were drawn, because people may score the plants over several days. */
export const blindScoreOf = (
  records: readonly TraitRecord[],
  traitId: string,
  plantId: string,
  { day, labeledOn = day }: Pick<WalkPlan, 'day' | 'labeledOn'>,
): TraitRecord | null =>
  records
    .filter((record) => record.traitId === traitId && record.plantId === plantId && record.isOwn && record.isBlind)
    .filter(({ on }) => on === day || on >= labeledOn)
    .reduce(newestOf, null)

export const scoredOn = (records: readonly TraitRecord[], traitId: string, day: string): Set<string> =>
  new Set(records.filter((record) => record.isOwn && record.traitId === traitId && record.on === day).map(({ plantId }) => plantId))

/** Continues along the bench, then returns to skipped plants. Null once everything is scored. */
export function nextUnscoredStop(stops: readonly Stop[], plantId: string, scored: ReadonlySet<string>): Stop | null {
  const at = stops.findIndex((stop) => stop.plantId === plantId)
  return [...stops.slice(at + 1), ...stops.slice(0, Math.max(at, 0))].find((stop) => !scored.has(stop.plantId)) ?? null
}
