import type { HuntEvent as ActivityEvent, HuntEventKind } from '#contracts/hunt-activity.endpoints.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { toPerson } from '#server/features/people/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import { newId } from '#server/kernel/ids.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { type EventRow, huntEventRows, ownEventRows } from './activity.queries.ts'
import { requireHunt } from './hunt-access.ts'

export type HuntEvent = {
  huntId: string
  kind: HuntEventKind
  genotypeId?: string | null
  plantId?: string | null
  subjectId?: string | null
  /** Small facts that a history entry needs even after its subject changes. No free text. */
  detail?: Record<string, string | number | boolean | null>
  /** `YYYY-MM-DD`; may be in the past. */
  happenedOn: string
  recordedBy: string
  now: Date
}

/** Rows per statement; PostgreSQL's limit is 65,535 parameters. */
const maxBatchSize = 3_000

/** Appends to the history in the caller's transaction, in few statements. */
export async function recordHuntEvents(tx: Tx, events: readonly HuntEvent[]): Promise<void> {
  for (let from = 0; from < events.length; from += maxBatchSize) {
    await tx
      .insertInto('hunt_events')
      .values(
        events.slice(from, from + maxBatchSize).map((event) => ({
          id: newId(),
          hunt_id: event.huntId,
          genotype_id: event.genotypeId ?? null,
          plant_id: event.plantId ?? null,
          kind: event.kind,
          subject_id: event.subjectId ?? null,
          detail: JSON.stringify(event.detail ?? {}),
          happened_on: event.happenedOn,
          recorded_by: event.recordedBy,
          recorded_at: event.now,
        })),
      )
      .execute()
  }
}

type PageQuery = { limit: number; cursor?: string | undefined }
type Rows = (part: { afterId: string | null; limit: number }) => Promise<EventRow[]>

/** Last recorded first. */
export async function listHuntActivity(db: Db, actor: Actor, huntId: string, page: PageQuery): Promise<Page<ActivityEvent>> {
  const { id } = await requireHunt(db, actor, huntId, 'view')
  return pageOf(page, (part) => huntEventRows(db, actor.id, id, part))
}

export const listOwnActivity = (db: Db, actor: Actor, page: PageQuery): Promise<Page<ActivityEvent>> =>
  pageOf(page, (part) => ownEventRows(db, actor.id, part))

async function pageOf({ limit, cursor }: PageQuery, read: Rows): Promise<Page<ActivityEvent>> {
  const after = decodeCursor(cursor, ['id'])
  const rows = await read({ afterId: after?.[0] ?? null, limit: limit + 1 })
  const { items, nextCursor } = toPage(rows, limit, ({ event_id }) => [event_id])
  return { items: items.map(toHuntEvent), nextCursor }
}

function toHuntEvent(row: EventRow): ActivityEvent {
  const genotype =
    row.genotype_id === null ? null : { id: row.genotype_id, number: row.genotype_number ?? 0, label: row.genotype_label ?? '' }
  const plant = row.plant_id === null ? null : { id: row.plant_id, copy: row.plant_copy ?? 0 }
  return {
    id: row.event_id,
    huntId: row.hunt_id,
    huntName: row.hunt_name,
    kind: row.kind,
    genotype,
    plant,
    subjectId: row.subject_id,
    detail: row.detail,
    summary: summaryOf({ kind: row.kind, number: genotype?.number ?? null, copy: plant?.copy ?? null, detail: row.detail }),
    happenedOn: row.happened_on,
    recordedBy: row.id === null ? null : toPerson({ ...row, id: row.id }),
    recordedAt: row.recorded_at.toISOString(),
  }
}

type Happening = {
  kind: HuntEventKind
  /** The genotype's number; null if the event is about the hunt, or if the genotype was deleted. */
  number: number | null
  /** The plant's number within its genotype; 0 is the seed plant. */
  copy: number | null
  detail: ActivityEvent['detail']
}

const decisions: Record<string, string> = { keep: 'Keep', retest: 'Retest', cull: 'Cull', breed: 'Breed with' }
const ends: Record<string, string> = { culled: 'culled', harvested: 'harvested', died: 'died', given_away: 'given away' }

/** What happened in one line, without the actor and time: "Clone 2 of #7 rooted". */
export function summaryOf({ kind, number, copy, detail }: Happening): string {
  const genotype = number === null ? 'a plant' : `#${number}`
  const plant = copy === null || copy === 0 ? genotype : `clone ${copy} of ${genotype}`
  const { count: stated, how, sex, kind: decided, dryGrams, heightCm, rating } = detail
  const word = (value: unknown): string => (typeof value === 'string' ? value : '')
  const count = typeof stated === 'number' ? stated : 1
  const about = number === null ? 'the hunt' : plant
  const sentences: Record<HuntEventKind, () => string> = {
    'hunt.created': () => 'hunt started',
    'hunt.completed': () => 'hunt completed',
    'hunt.reopened': () => 'hunt reopened',
    'seeds.added': () => `${counted(count, 'seed')} numbered`,
    'plant.cut': () => `${plant} cut`,
    'plant.rooted': () => `${plant} rooted`,
    'plant.placed': () => (number === null ? 'plants placed in a run' : `${plant} placed in a run`),
    'plant.changed': () => `${plant} changed`,
    'plant.ended': () => `${plant} ${ends[word(how)] ?? 'ended'}`,
    'plant.revived': () => `${plant} is alive again`,
    'genotype.sexed': () => `${genotype} is ${word(sex) || 'sexed'}`,
    'log.written': () =>
      withFacts(`log of ${about}`, [typeof heightCm === 'number' && `${heightCm} cm`, typeof rating === 'number' && `rated ${rating}`]),
    'log.changed': () => `log of ${about} changed`,
    'log.deleted': () => `log of ${about} deleted`,
    'observation.made': () => `${about} scored`,
    'observation.corrected': () => `score of ${about} corrected`,
    'harvest.recorded': () => withFacts(`harvest of ${about} recorded`, [typeof dryGrams === 'number' && `${dryGrams} g dry`]),
    'harvest.changed': () => `harvest of ${about} changed`,
    'lab.recorded': () => `lab result of ${about} recorded`,
    'decision.made': () => `${decisions[word(decided)] ?? 'decision on'} ${genotype}`,
    'decision.undone': () => `decision on ${genotype} undone`,
    'panel.opened': () => 'blind panel opened',
    'panel.closed': () => 'blind panel closed',
  }
  const sentence = sentences[kind]()
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}

const withFacts = (sentence: string, facts: readonly (string | false)[]): string => {
  const known = facts.filter(Boolean)
  return known.length === 0 ? sentence : `${sentence}: ${known.join(', ')}`
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
