import type { HistorySubject } from '#contracts/plant-history.ts'
import type { Db } from '#server/db/connect.ts'
import { mediaOf } from '#server/features/media/index.ts'
import {
  decisionsOf,
  type EventRow,
  harvestsOf,
  labResultsOf,
  logsOf,
  logVersionsOf,
  type ObservationRow,
  observationsOf,
  runsOf,
} from './history.queries.ts'

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

/** The current subject of each event, with one query per type. Deleted subjects are omitted. */
export async function readSubjects(
  db: Db,
  events: readonly EventRow[],
  { withEarlierLogs }: { withEarlierLogs: boolean },
): Promise<Map<string, HistorySubject>> {
  const ids = (type: SubjectType) =>
    events.flatMap((event) => (event.subject_id !== null && typeOf(event) === type ? [event.subject_id] : []))
  const found = new Map<string, HistorySubject>()
  for (const [id, log] of await readLogs(db, ids('log'))) found.set(`log ${id}`, { type: 'log', id, log })
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
      return [[event.id, log && !log.isDeleted ? { ...subject, log: { ...log, before: before.get(event.id) ?? null } } : subject]]
    }),
  )
}

const some = async <Row>(ids: readonly string[], read: (ids: readonly string[]) => Promise<Row[]>): Promise<Row[]> =>
  ids.length === 0 ? [] : read(ids)

type Log = NonNullable<HistorySubject['log']>
type Score = NonNullable<HistorySubject['observation']>

/** For deleted logs, says only that they were deleted. */
async function readLogs(db: Db, ids: readonly string[]): Promise<[string, Log][]> {
  const rows = await some(ids, (of) => logsOf(db, of))
  const shown = rows.filter((row) => row.deleted_at === null)
  const media = await mediaOf(
    db,
    shown.flatMap((row) => row.media_ids),
  )
  return rows.map((row) => {
    const nothing = { week: null, stage: null, heightCm: null, rating: null, notes: '', photos: [] }
    const said = { week: row.week, stage: row.stage, heightCm: row.height_cm, rating: row.rating, notes: row.notes }
    const isDeleted = row.deleted_at !== null
    const photos = row.media_ids.flatMap((id) => media.get(id) ?? [])
    return [row.id, { ...(isDeleted ? nothing : { ...said, photos }), isDeleted, before: null }]
  })
}

/** The text of each changed log before the change, by event id. */
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
  const media = await mediaOf(
    db,
    rows.flatMap((row) => row.media_id ?? []),
  )
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
