import { sql } from 'kysely'
import { isCalendarDate } from '#contracts/age.ts'
import type { HuntEventKind } from '#contracts/hunts.endpoints.ts'
import type { HistoryEntry, HistorySubject } from '#contracts/plant-history.endpoints.ts'
import { plantName } from '#contracts/plants.ts'
import type { Db } from '#server/db/connect.ts'
import type { AccessibleHunt } from '#server/features/hunts/index.ts'
import { mediaOf } from '#server/features/media/index.ts'
import { visiblePeople } from '#server/features/people/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import { AppError } from '#server/kernel/errors.ts'
import { lastUuid } from '#server/kernel/ids.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { requireHuntOf } from './require-plant-things.ts'

type Query = { limit: number; cursor?: string | undefined }
type Viewing = { actor: Actor; hunt: AccessibleHunt }

export async function listGenotypeHistory(db: Db, actor: Actor, id: string, query: Query): Promise<Page<HistoryEntry>> {
  const hunt = await requireHuntOf(db, actor, 'genotypes', id, 'view')
  return page(db, { ...query, actor, hunt }, (range) => genotypeEvents(db, id, range))
}

export async function listPlantHistory(db: Db, actor: Actor, id: string, query: Query): Promise<Page<HistoryEntry>> {
  const hunt = await requireHuntOf(db, actor, 'plants', id, 'view')
  return page(db, { ...query, actor, hunt }, (range) => plantEvents(db, id, range))
}

async function page(
  db: Db,
  { limit, cursor, ...viewing }: Query & Viewing,
  read: (range: Range) => Promise<EventRow[]>,
): Promise<Page<HistoryEntry>> {
  const rows = await read({ after: placeOf(cursor), limit: limit + 1 })
  const { items, nextCursor } = toPage(rows, limit, (row) => [row.happened_on, row.id])
  return { items: await toEntries(db, items, viewing), nextCursor }
}

function placeOf(cursor: string | undefined): Place | null {
  const key = decodeCursor(cursor, ['string', 'id'])
  if (!key) return null
  const [happenedOn, id] = key
  if (!isCalendarDate(happenedOn) || happenedOn < '1900') throw new AppError('invalid_input', { fields: { cursor: 'Not valid' } })
  return { happenedOn, id }
}

async function toEntries(db: Db, rows: readonly EventRow[], { actor, hunt }: Viewing): Promise<HistoryEntry[]> {
  // Only people with write access see earlier versions of a log, as in the list of versions.
  const subjects = await readSubjects(db, rows, { withEarlierLogs: hunt.access !== 'view' })
  const personIds = rows.map((row) => row.recorded_by)
  const people = await visiblePeople(db, actor.id, personIds)
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

/** Trusts `detail`, because only the server writes events. */
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

type SubjectType = HistorySubject['type']

/** The subject type by event kind. Ends and revivals refer to the decision that caused them. */
function typeOf({ kind }: EventRow): SubjectType | null {
  if (kind.startsWith('log.')) return 'log'
  if (kind.startsWith('observation.')) return 'observation'
  if (kind.startsWith('decision.') || kind === 'plant.ended' || kind === 'plant.revived') return 'decision'
  if (kind.startsWith('harvest.')) return 'harvest'
  if (kind.startsWith('lab.')) return 'lab'
  return kind === 'plant.placed' ? 'run' : null
}

/** Uses one query per type. Omits subjects that no longer exist. */
async function readSubjects(
  db: Db,
  events: readonly EventRow[],
  { withEarlierLogs }: { withEarlierLogs: boolean },
): Promise<Map<string, HistorySubject>> {
  const ids = (type: SubjectType) =>
    events.flatMap((event) => (event.subject_id !== null && typeOf(event) === type ? [event.subject_id] : []))
  const found = new Map<string, HistorySubject>()
  const logPlants = new Map<string, LogPlant>()
  for (const [id, log, plant] of await readLogs(db, ids('log'))) {
    found.set(`log ${id}`, { type: 'log', id, log })
    logPlants.set(id, plant)
  }
  for (const [id, observation] of await readObservations(db, ids('observation'))) {
    found.set(`observation ${id}`, { type: 'observation', id, observation })
  }
  for (const { id, kind, reason, undone_at } of await some(ids('decision'), (of) => decisionsOf(db, of))) {
    found.set(`decision ${id}`, { type: 'decision', id, decision: { kind, reason, isUndone: undone_at !== null } })
  }
  for (const row of await some(ids('harvest'), (of) => harvestsOf(db, of))) {
    const { id, flower_days: flowerDays, wet_grams: wetGrams, dry_grams: dryGrams, wash_yield_percent: washYieldPercent } = row
    found.set(`harvest ${id}`, { type: 'harvest', id, harvest: { flowerDays, wetGrams, dryGrams, washYieldPercent } })
  }
  for (const { id, lab, analyte, value, unit, quantification_limit: quantificationLimit } of await some(ids('lab'), (of) =>
    labResultsOf(db, of),
  )) {
    found.set(`lab ${id}`, { type: 'lab', id, lab: { lab, analyte, value, unit, quantificationLimit } })
  }
  for (const { id, name } of await some(ids('run'), (of) => runsOf(db, of))) found.set(`run ${id}`, { type: 'run', id, run: { name } })

  const before = await readEarlierLogs(
    db,
    events.filter(({ kind }) => withEarlierLogs && kind === 'log.changed'),
  )
  return new Map(
    events.flatMap((event): [string, HistorySubject][] => {
      const subject = found.get(`${typeOf(event)} ${event.subject_id}`)
      if (!subject) return []
      const { log } = subject
      const plant = log && logPlants.get(subject.id)
      if (log && plant && !log.isDeleted && event.plant_id !== null && plant.id !== event.plant_id) {
        return [[event.id, { ...subject, log: { ...log, ...nothing, movedTo: plant.name } }]]
      }
      return [[event.id, log && !log.isDeleted ? { ...subject, log: { ...log, before: before.get(event.id) ?? null } } : subject]]
    }),
  )
}

const some = async <Row>(ids: readonly string[], read: (ids: readonly string[]) => Promise<Row[]>): Promise<Row[]> =>
  ids.length === 0 ? [] : read(ids)

type Log = NonNullable<HistorySubject['log']>
type Score = NonNullable<HistorySubject['observation']>

/** For a log about the whole hunt, the name is empty. */
type LogPlant = { id: string | null; name: string }

const nothing = { week: null, stage: null, heightCm: null, rating: null, notes: '', photos: [] }

/** A deleted log shows only that it was deleted. */
async function readLogs(db: Db, ids: readonly string[]): Promise<[string, Log, LogPlant][]> {
  const rows = await some(ids, (of) => logsOf(db, of))
  const shown = rows.filter((row) => row.deleted_at === null)
  const mediaIds = shown.flatMap((row) => row.media_ids)
  const media = await mediaOf(db, mediaIds)
  return rows.map((row) => {
    const said = { week: row.week, stage: row.stage, heightCm: row.height_cm, rating: row.rating, notes: row.notes }
    const isDeleted = row.deleted_at !== null
    const photos = row.media_ids.flatMap((id) => media.get(id) ?? [])
    const plant = { id: row.plant_id, name: row.number === null || row.copy === null ? '' : plantName(row.number, row.copy) }
    return [row.id, { ...(isDeleted ? nothing : { ...said, photos }), isDeleted, movedTo: null, before: null }, plant]
  })
}

/** The text of each changed log before the change, by event ID. */
async function readEarlierLogs(db: Db, changes: readonly EventRow[]): Promise<Map<string, Log['before']>> {
  const versions = await some(
    changes.flatMap((event) => event.subject_id ?? []),
    (of) => logVersionsOf(db, of),
  )
  const said = new Map(versions.map((row) => [`${row.log_id} ${row.version}`, row.said as Partial<NonNullable<Log['before']>>]))
  return new Map(
    changes.flatMap((event): [string, Log['before']][] => {
      const earlier = said.get(`${event.subject_id} ${Number(event.detail.version) - 1}`)
      if (!earlier) return []
      const { week = null, stage = null, heightCm = null, rating = null, notes = '' } = earlier
      return [[event.id, { week, stage, heightCm, rating, notes }]]
    }),
  )
}

async function readObservations(db: Db, ids: readonly string[]): Promise<[string, Score][]> {
  const rows = await some(ids, (of) => observationsOf(db, of))
  const earlier = await some(
    rows.flatMap((row) => row.corrects_id ?? []),
    (of) => observationsOf(db, of),
  )
  const corrected = new Map(earlier.map((row) => [row.id, row]))
  const mediaIds = rows.flatMap((row) => row.media_id ?? [])
  const media = await mediaOf(db, mediaIds)
  return rows.map((row) => {
    const before = corrected.get(row.corrects_id ?? '')
    return [
      row.id,
      {
        traitId: row.trait_id,
        trait: row.name,
        unit: row.unit,
        value: wordsOf(row),
        photo: media.get(row.media_id ?? '') ?? null,
        note: row.note,
        isBlind: row.is_blind,
        isWithdrawn: row.is_withdrawn,
        corrected: before ? { id: before.id, value: wordsOf(before), observedOn: before.observed_on } : null,
        isCorrected: !row.is_current,
      },
    ]
  })
}

/** A value as text: the number with its anchor label, or options joined by commas. */
function wordsOf({ value_number, value_date, value_options, options }: ObservationRow): string {
  const labels = new Map((options as { value: number; label: string }[]).map(({ value, label }) => [value, label]))
  if (value_options) return value_options.map((value) => labels.get(value) ?? String(value)).join(', ')
  if (value_date !== null) return value_date
  if (value_number === null) return ''
  const anchor = labels.get(value_number)
  return anchor ? `${value_number} · ${anchor}` : String(value_number)
}

type EventRow = {
  id: string
  kind: HuntEventKind
  subject_id: string | null
  plant_id: string | null
  copy: number | null
  number: number
  detail: Record<string, string | number | boolean | null>
  happened_on: string
  recorded_at: Date
  recorded_by: string | null
}

type Place = { happenedOn: string; id: string }
type Range = { after: Place | null; limit: number }

/** Sorts after every valid date, so it starts the first page. */
const end: Place = { happenedOn: '9999-12-31', id: lastUuid }

const columns = sql`hunt_events.id, hunt_events.kind, hunt_events.subject_id, hunt_events.plant_id, hunt_events.detail,
  hunt_events.happened_on, hunt_events.recorded_at, hunt_events.recorded_by`

/** A seed's start has no stored event of its own; it is derived from the genotype and the start date of its plant. */
const beginning = sql`genotypes.id, 'seeds.added' as kind, null::uuid as subject_id, plants.id as plant_id, '{}'::jsonb as detail,
  coalesce(plants.started_on, (genotypes.created_at at time zone 'UTC')::date) as happened_on, genotypes.created_at as recorded_at,
  null::uuid as recorded_by
  from genotypes join plants on plants.genotype_id = genotypes.id and plants.copy = 0`

/** Events of a genotype and all its plants, newest day first. Late entries sort by their day. */
export async function genotypeEvents(db: Db, genotypeId: string, { after, limit }: Range): Promise<EventRow[]> {
  const { happenedOn, id } = after ?? end
  const { rows } = await sql<EventRow>`
    select entries.*, genotypes.number, plants.copy
    from (
      (select ${columns} from hunt_events
        where hunt_events.genotype_id = ${genotypeId}::uuid and (hunt_events.happened_on, hunt_events.id) < (${happenedOn}::date, ${id}::uuid)
        order by hunt_events.happened_on desc, hunt_events.id desc limit ${limit})
      union all
      (select ${beginning} where genotypes.id = ${genotypeId}::uuid)
    ) as entries
      join genotypes on genotypes.id = ${genotypeId}::uuid
      left join plants on plants.id = entries.plant_id
    where (entries.happened_on, entries.id) < (${happenedOn}::date, ${id}::uuid)
    order by entries.happened_on desc, entries.id desc limit ${limit}`.execute(db)
  return rows
}

export async function plantEvents(db: Db, plantId: string, { after, limit }: Range): Promise<EventRow[]> {
  const { happenedOn, id } = after ?? end
  const { rows } = await sql<EventRow>`
    select entries.*, genotypes.number, plants.copy
    from (
      (select ${columns} from hunt_events
        where hunt_events.plant_id = ${plantId}::uuid and (hunt_events.happened_on, hunt_events.id) < (${happenedOn}::date, ${id}::uuid)
        order by hunt_events.happened_on desc, hunt_events.id desc limit ${limit})
      union all
      (select ${beginning} where plants.id = ${plantId}::uuid)
    ) as entries
      join plants on plants.id = ${plantId}::uuid
      join genotypes on genotypes.id = plants.genotype_id
    where (entries.happened_on, entries.id) < (${happenedOn}::date, ${id}::uuid)
    order by entries.happened_on desc, entries.id desc limit ${limit}`.execute(db)
  return rows
}

const all = (ids: readonly string[]) => sql<boolean>`any(${ids}::uuid[])`

const logsOf = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('grow_logs')
    .leftJoin('plants', 'plants.id', 'grow_logs.plant_id')
    .leftJoin('genotypes', 'genotypes.id', 'plants.genotype_id')
    .select(['grow_logs.id', 'week', 'stage', 'height_cm', 'rating', 'grow_logs.notes', 'deleted_at', 'plant_id', 'number', 'copy'])
    .select(
      sql<string[]>`array(
        select media_id from grow_log_photos where grow_log_photos.log_id = grow_logs.id order by grow_log_photos.position)`.as(
        'media_ids',
      ),
    )
    .where(sql<boolean>`grow_logs.id = ${all(ids)}`)
    .execute()

const logVersionsOf = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('grow_log_versions')
    .select(['log_id', 'version', 'said'])
    .where(sql<boolean>`log_id = ${all(ids)}`)
    .execute()

type ObservationRow = Awaited<ReturnType<typeof observationsOf>>[number]

const observationsOf = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('observations')
    .innerJoin('traits', 'traits.id', 'observations.trait_id')
    .select([
      'observations.id',
      'observations.trait_id',
      'observations.value_number',
      'observations.value_date',
      'observations.value_options',
    ])
    .select(['observations.media_id', 'observations.note', 'observations.is_blind', 'observations.is_withdrawn', 'observations.is_current'])
    .select(['observations.corrects_id', 'observations.observed_on', 'traits.name', 'traits.kind', 'traits.unit', 'traits.options'])
    .where(sql<boolean>`observations.id = ${all(ids)}`)
    .execute()

const decisionsOf = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('decisions')
    .select(['id', 'kind', 'reason', 'undone_at'])
    .where(sql<boolean>`id = ${all(ids)}`)
    .execute()

const harvestsOf = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('harvests')
    .select(['id', 'flower_days', 'wet_grams', 'dry_grams', 'wash_yield_percent'])
    .where(sql<boolean>`id = ${all(ids)}`)
    .execute()

const labResultsOf = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('lab_results')
    .select(['id', 'lab', 'analyte', 'value', 'unit', 'quantification_limit'])
    .where(sql<boolean>`id = ${all(ids)}`)
    .execute()

const runsOf = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('runs')
    .select(['id', 'name'])
    .where(sql<boolean>`id = ${all(ids)}`)
    .execute()
