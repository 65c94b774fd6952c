import { type RawBuilder, sql } from 'kysely'
import type { HuntEvent as ActivityEvent, HuntEventKind } from '#contracts/hunts.endpoints.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { isNotBlocked, toPersonOrNull } from '#server/features/people/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Authorized } from '#server/kernel/authorized.ts'
import { lastUuid, newId } from '#server/kernel/ids.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { requireHunt } from './hunt-access.ts'

export type HuntEvent = {
  huntId: string
  kind: HuntEventKind
  genotypeId?: string | null
  plantId?: string | null
  subjectId?: string | null
  /** Facts that a history entry needs even after its subject changes. No free text. */
  detail?: Record<string, string | number | boolean | null>
  /** `YYYY-MM-DD`; may be in the past. */
  happenedOn: string
  recordedBy: string
  now: Date
}

/** Rows per statement; PostgreSQL's limit is 65,535 parameters. */
const maxBatchSize = 3_000

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
    summary: summaryOf({
      kind: row.kind,
      number: genotype?.number ?? null,
      copy: plant?.copy ?? null,
      detail: row.detail,
      endedPlants: row.ended_plants ?? 0,
    }),
    happenedOn: row.happened_on,
    recordedBy: toPersonOrNull(row),
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
  /** How many plants a decision ended. */
  endedPlants?: number
}

const decisions: Record<string, string> = { keep: 'keep', retest: 'retest', cull: 'cull', breed: 'breed with' }
const ends: Record<string, string> = { culled: 'culled', harvested: 'harvested', died: 'died', given_away: 'given away' }

/** Returns one line without the actor and time: "Clone 2 of #7 rooted". */
export function summaryOf({ kind, number, copy, detail, endedPlants = 0 }: Happening): string {
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
      withFacts(`log for ${about}`, [typeof heightCm === 'number' && `${heightCm} cm`, typeof rating === 'number' && `rated ${rating}`]),
    'log.changed': () => `log for ${about} changed`,
    'log.deleted': () => `log for ${about} deleted`,
    'observation.made': () => `${about} scored`,
    'observation.corrected': () => `score of ${about} corrected`,
    'harvest.recorded': () => withFacts(`harvest of ${about} recorded`, [typeof dryGrams === 'number' && `${dryGrams} g dry`]),
    'harvest.changed': () => `harvest of ${about} changed`,
    'harvest.deleted': () => `harvest of ${about} deleted`,
    'lab.recorded': () => `lab result for ${about} recorded`,
    'decision.made': () =>
      withFacts(decisions[word(decided)] ? `decided to ${decisions[word(decided)]} ${genotype}` : `decision on ${genotype}`, [
        endedPlants > 0 && `${counted(endedPlants, 'plant')} ended`,
      ]),
    'decision.undone': () => `decision on ${genotype} undone`,
    'panel.opened': () => 'blind panel opened',
    'panel.filled': () => 'jar list for a blind panel opened',
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

type EventRow = {
  event_id: string
  hunt_id: string
  hunt_name: string
  kind: HuntEventKind
  subject_id: string | null
  detail: Record<string, string | number | boolean | null>
  happened_on: string
  recorded_at: Date
  genotype_id: string | null
  genotype_number: number | null
  genotype_label: string | null
  plant_id: string | null
  plant_copy: number | null
  ended_plants: number | null
  /** Null if the account was deleted, or is hidden from the viewer by a block. */
  id: string | null
  display_name: string | null
  first_name: string | null
  last_name: string | null
  image_id: string | null
  is_profile_public: boolean
  profile_moderation: string | null
}

/**
 * SQL: leaves out the end or revival of a plant if the entry of the decision or harvest that caused it is in the list. A harvest and the
 * end of its plant are recorded at the same time.
 */
const isListed = sql`not (hunt_events.kind in ('plant.ended', 'plant.revived') and (hunt_events.subject_id is not null or (
  hunt_events.detail ->> 'how' = 'harvested' and exists (
    select from hunt_events as cause
    where cause.plant_id = hunt_events.plant_id and cause.recorded_at = hunt_events.recorded_at
      and cause.kind in ('harvest.recorded', 'harvest.deleted')))))`

type Part = { afterId: string | null; limit: number }

const huntEventRows = (db: Db, viewerId: string, huntId: Authorized<'hunts'>, { afterId, limit }: Part) =>
  hydrated(
    db,
    viewerId,
    sql`
      select * from hunt_events where hunt_id = ${huntId}::uuid and id < ${afterId ?? lastUuid}::uuid and ${isListed}
      order by id desc limit ${limit}`,
  )

/** Reads at most a page of each of the person's hunts. */
const ownEventRows = (db: Db, personId: string, { afterId, limit }: Part) =>
  hydrated(
    db,
    personId,
    sql`
      select events.* from (
        select id from hunts where owner_id = ${personId}::uuid
        union
        select hunts.id from hunt_shares join hunts on hunts.id = hunt_shares.hunt_id
        where hunt_shares.user_id = ${personId}::uuid and hunts.moderation is null
          and ${isNotBlocked(sql`${personId}::uuid`, sql`hunts.owner_id`)}
      ) as mine cross join lateral (
        select * from hunt_events where hunt_events.hunt_id = mine.id and hunt_events.id < ${afterId ?? lastUuid}::uuid and ${isListed}
        order by hunt_events.id desc limit ${limit}
      ) as events
      order by events.id desc limit ${limit}`,
  )

/** Hides the figures of a log's earlier versions: a correction may have removed them on purpose. */
const isDetailCurrent = sql`exists (
  select from grow_logs
  where grow_logs.id = page.subject_id and grow_logs.deleted_at is null
    and grow_logs.version = coalesce((page.detail ->> 'version')::integer, 1))`

async function hydrated(db: Db, viewerId: string, page: RawBuilder<unknown>): Promise<EventRow[]> {
  const { rows } = await sql<EventRow>`
    with page as (${page})
    select page.id as event_id, page.hunt_id, hunts.hunt_name, page.kind, page.subject_id, page.happened_on, page.recorded_at,
      case when page.kind not like 'log.%' or ${isDetailCurrent} then page.detail else '{}' end as detail,
      genotypes.id as genotype_id, genotypes.number as genotype_number, genotypes.label as genotype_label,
      plants.id as plant_id, plants.copy as plant_copy, cardinality(decisions.ended_plant_ids) as ended_plants,
      users.id, users.display_name, users.first_name, users.last_name, users.image_id, users.is_profile_public, users.profile_moderation
    from page
      join hunts on hunts.id = page.hunt_id
      left join plants on plants.id = page.plant_id
      left join genotypes on genotypes.id = coalesce(page.genotype_id, plants.genotype_id)
      left join decisions on decisions.id = page.subject_id and page.kind = 'decision.made'
      left join users on users.id = page.recorded_by and ${isNotBlocked(sql`${viewerId}::uuid`, sql`users.id`)}
    order by page.id desc`.execute(db)
  return rows
}
