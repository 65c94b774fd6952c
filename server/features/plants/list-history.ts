import { isCalendarDate } from '#contracts/age.ts'
import type { HistoryEntry } from '#contracts/plant-history.ts'
import { plantName } from '#contracts/plants.ts'
import type { Db } from '#server/db/connect.ts'
import type { AccessibleHunt } from '#server/features/hunts/index.ts'
import { visiblePeople } from '#server/features/people/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import { AppError } from '#server/kernel/errors.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { type EventRow, genotypeEvents, plantEvents } from './history.queries.ts'
import { readSubjects } from './history-subjects.ts'
import { requireHuntOf } from './require-plant-things.ts'

type Query = { limit: number; cursor?: string | undefined }
type Viewing = { actor: Actor; hunt: AccessibleHunt }

/** @throws AppError not_found, invalid_input */
export async function listGenotypeHistory(db: Db, actor: Actor, id: string, query: Query): Promise<Page<HistoryEntry>> {
  const hunt = await requireHuntOf(db, actor, 'genotypes', id, 'view')
  return page(db, { ...query, actor, hunt }, (place) => genotypeEvents(db, id, place))
}

/** @throws AppError not_found, invalid_input */
export async function listPlantHistory(db: Db, actor: Actor, id: string, query: Query): Promise<Page<HistoryEntry>> {
  const hunt = await requireHuntOf(db, actor, 'plants', id, 'view')
  return page(db, { ...query, actor, hunt }, (place) => plantEvents(db, id, place))
}

type Place = Parameters<typeof genotypeEvents>[2]

async function page(
  db: Db,
  { limit, cursor, ...viewing }: Query & Viewing,
  read: (place: Place) => Promise<EventRow[]>,
): Promise<Page<HistoryEntry>> {
  const rows = await read({ after: placeOf(cursor), limit: limit + 1 })
  const { items, nextCursor } = toPage(rows, limit, (row) => [row.happened_on, row.id])
  return { items: await toEntries(db, items, viewing), nextCursor }
}

/** @throws AppError invalid_input */
function placeOf(cursor: string | undefined): Place['after'] {
  const key = decodeCursor(cursor, ['string', 'id'])
  if (!key) return null
  const [happenedOn, id] = key
  if (!isCalendarDate(happenedOn) || happenedOn < '1900') throw new AppError('invalid_input', { fields: { cursor: 'Not valid' } })
  return { happenedOn, id }
}

async function toEntries(db: Db, rows: readonly EventRow[], { actor, hunt }: Viewing): Promise<HistoryEntry[]> {
  // Earlier versions of a log are for members with write access, as in the list of versions.
  const subjects = await readSubjects(db, rows, { withEarlierLogs: hunt.access !== 'view' })
  const people = await visiblePeople(
    db,
    actor.id,
    rows.map((row) => row.recorded_by),
  )
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    happenedOn: row.happened_on,
    recordedAt: row.recorded_at.toISOString(),
    recordedBy: people.get(row.recorded_by ?? '') ?? null,
    plant: row.plant_id === null || row.copy === null ? null : { id: row.plant_id, name: plantName(row.number, row.copy) },
    facts: factsOf(row),
    subject: subjects.get(row.id) ?? null,
  }))
}

/** Trusts `detail`, because only this feature writes it. */
function factsOf({ kind, detail }: EventRow): HistoryEntry['facts'] {
  if (kind === 'genotype.sexed') return pick(detail, ['sex', 'before'])
  if (kind === 'plant.ended') return endOf(detail)
  if (kind === 'plant.revived') return { ...pick(detail, ['before']), ...endOf(detail) }
  if (kind === 'plant.placed') return pick(detail, ['row', 'column'])
  if (kind === 'plant.changed') return pick(detail, ['changed', 'after', 'before'])
  if (kind === 'decision.made' || kind === 'decision.undone') return { standing: detail.kind } as HistoryEntry['facts']
  return {}
}

const endOf = (detail: EventRow['detail']): HistoryEntry['facts'] => ({ endedHow: detail.how }) as HistoryEntry['facts']

const pick = (detail: EventRow['detail'], names: readonly (keyof HistoryEntry['facts'])[]): HistoryEntry['facts'] =>
  Object.fromEntries(names.flatMap((name) => (detail[name] === undefined ? [] : [[name, detail[name]]])))
