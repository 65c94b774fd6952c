import type { Run } from '#contracts/runs.endpoints.ts'
import type { TraitRecord } from '#contracts/trait-records.ts'
import { inWalkOrder, type LogPlant, type WalkOrder } from '#web/entities/grow-logs/plant-names.ts'
import { rowLetter } from '#web/entities/growing-plots/bench-map.tsx'
import { localDay } from '#web/lib/time-words.ts'

/** What is scored in a walk, where, and how. */
export type WalkPlan = {
  traitId: string
  /** `all`, `run:` with an ID, or `room:` with a name. */
  where: string
  order: WalkOrder
  day: string
  showsLast: boolean
  /** By plant, in a walk with blind labels: what the plant is labeled with instead of its number. */
  labels: Readonly<Record<string, string>> | null
  /** When the plan was last used: tomorrow's walk must not have today's date. */
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

/** The hunt's last plan on this device. Blind labels stay until they are revealed, because the plants carry them. */
export function storedPlan(huntId: string): WalkPlan | null {
  try {
    const plan = JSON.parse(localStorage.getItem(keyOf(huntId)) ?? 'null') as WalkPlan | null
    if (!plan || typeof plan.where !== 'string' || typeof plan.day !== 'string') return null
    return plan.usedOn === localDay() ? plan : { ...plan, day: localDay() }
  } catch {
    return null
  }
}

/** @returns whether it was stored; without storage, the plan lasts as long as the page */
export function storePlan(huntId: string, plan: WalkPlan): boolean {
  try {
    localStorage.setItem(keyOf(huntId), JSON.stringify({ ...plan, usedOn: localDay() }))
    return true
  } catch {
    return false
  }
}

type RunName = Pick<Run, 'id' | 'room'>

/** Runs and rooms with living plants. A room is listed only if it isn't the same as a single run. */
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

/** The living plants of a place. All of them if the place no longer exists. */
export function plantsAt(where: string, plants: readonly LogPlant[], runs: readonly RunName[]): LogPlant[] {
  const living = plants.filter(({ isAlive }) => isAlive)
  const runIds = new Set(runs.filter(({ id, room }) => where === `run:${id}` || where === `room:${room}`).map(({ id }) => id))
  const there = living.filter(({ placement }) => placement && (runIds.has(placement.runId) || where === `run:${placement.runId}`))
  return there.length === 0 ? living : there
}

/** No vowels, so that labels don't spell words, and no letters that are easily confused. */
const letters = 'BCDFGHJKMNPRSTVWXZ'

/** A random label for each plant; numbers would be mistaken for those of the plants. */
export function drawLabels(plantIds: readonly string[], random: () => number = randomShare): Record<string, string> {
  const length = plantIds.length > 150 ? 3 : 2
  const drawn = new Set<string>()
  while (drawn.size < plantIds.length) {
    drawn.add(Array.from({ length }, () => letters[Math.floor(random() * letters.length)]).join(''))
  }
  return Object.fromEntries([...drawn].map((label, i) => [plantIds[i], label]))
}

const randomShare = (): number => (crypto.getRandomValues(new Uint32Array(1))[0] as number) / 2 ** 32

/** A plant to score. */
export type Stop = {
  plantId: string
  /** "#7", or its blind label. */
  name: string
  /** "A3 · Tent 2" */
  spot: string
}

/** Only plants with a label in a blind walk, and nothing that tells which plant it is. */
export function stopsOf({ where, order, labels }: WalkPlan, plants: readonly LogPlant[], runs: readonly RunName[]): Stop[] {
  if (labels === null) {
    return inWalkOrder(plantsAt(where, plants, runs), order).map((plant) => ({
      plantId: plant.id,
      name: nameOf(plant),
      spot: spotOf(plant),
    }))
  }
  const labeled = plants.filter(({ id, isAlive }) => isAlive && labels[id] !== undefined)
  const stops = inWalkOrder(labeled, order).map(({ id }) => ({ plantId: id, name: labels[id] as string, spot: '' }))
  return order === 'number' ? stops.toSorted((a, b) => (a.name < b.name ? -1 : 1)) : stops
}

const nameOf = ({ name, label }: LogPlant): string => (label === '' ? name : `${name} ${label}`)

function spotOf({ placement }: LogPlant): string {
  if (!placement) return ''
  const { row, column, runName } = placement
  return row === null || column === null ? runName : `${rowLetter(row)}${column} · ${runName}`
}

/** The reader's score of the day, which another one corrects, and the newest one before. */
export type StopScores = { own: TraitRecord | null; last: TraitRecord | null }

export function scoresOf(records: readonly TraitRecord[], traitId: string, plantId: string, day: string): StopScores {
  const all = records.filter((record) => record.traitId === traitId && record.plantId === plantId)
  const isOfDay = (record: TraitRecord) => record.isOwn === true && record.on === day
  const newest = (found: TraitRecord | null, record: TraitRecord) => (found && found.on >= record.on ? found : record)
  return {
    own: all.filter(isOfDay).reduce(newest, null),
    last: all.filter((record) => !isOfDay(record)).reduce(newest, null),
  }
}

/** The plants that the reader scored on the day. */
export const scoredOn = (records: readonly TraitRecord[], traitId: string, day: string): Set<string> =>
  new Set(records.filter((record) => record.isOwn && record.traitId === traitId && record.on === day).map(({ plantId }) => plantId))

/** Where to go after a plant was scored: on along the bench, then back to what was skipped. Null once everything is scored. */
export function stopAfter(stops: readonly Stop[], plantId: string, scored: ReadonlySet<string>): Stop | null {
  const at = stops.findIndex((stop) => stop.plantId === plantId)
  return [...stops.slice(at + 1), ...stops.slice(0, Math.max(at, 0))].find((stop) => !scored.has(stop.plantId)) ?? null
}
