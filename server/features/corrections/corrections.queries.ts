import { type Selectable, sql } from 'kysely'
import { correctionKinds, type NewCorrection } from '#contracts/corrections.endpoints.ts'
import { dayMs } from '#contracts/time.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { countRows } from '#server/db/count-rows.ts'
import type { Locked } from '#server/db/locked.ts'
import { pageIds } from '#server/db/page-ids.ts'
import type { DB } from '#server/db/schema.ts'
import type { ReplacedFacts } from '#server/features/businesses/index.ts'
import { rolesThatCan } from '#server/features/team/index.ts'
import { decodeCursor, newestAfter, oldestAfter } from '#server/kernel/keyset.ts'
import type { NotifiedSubject } from '#server/kernel/notified-subject.ts'
import { permissionFor, type Voter } from './corrections.policy.ts'

/** What a correction replaced: facts about the listing, or its hours. */
export type Replaced = { facts: ReplacedFacts } | { hours: { before: Hours; after: Hours } }
type Hours = Extract<NewCorrection, { kind: 'hours' }>['hours'] | null

const columns = [
  'corrections.id',
  'corrections.business_id',
  'corrections.user_id',
  'corrections.value',
  'corrections.state',
  'corrections.settled_as',
  'corrections.settled_at',
  'corrections.replaced',
  'corrections.created_at',
] as const

export type CorrectionRow = NonNullable<Awaited<ReturnType<typeof correctionRow>>>

/** `value` is what `NewCorrection` accepted. */
const shaped = <Row extends { value: unknown; replaced: unknown }>(row: Row) => ({
  ...row,
  value: row.value as NewCorrection,
  replaced: row.replaced as Replaced | null,
})

export async function correctionRow(db: Db, id: string) {
  const row = await db.selectFrom('corrections').select(columns).where('id', '=', id).executeTakeFirst()
  return row && shaped(row)
}

export type LockedCorrection = CorrectionRow & { business_id: Locked<'businesses'> }

export async function lockCorrection(tx: Tx, businessId: Locked<'businesses'>, id: string): Promise<LockedCorrection> {
  const row = await tx
    .selectFrom('corrections')
    .select(columns)
    .where('id', '=', id)
    .where('business_id', '=', businessId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return { ...shaped(row), business_id: businessId }
}

export async function openCorrection(
  tx: Tx,
  businessId: Locked<'businesses'>,
  kind: NewCorrection['kind'],
  valueKey: string,
): Promise<LockedCorrection | undefined> {
  const row = await tx
    .selectFrom('corrections')
    .select(columns)
    .where('business_id', '=', businessId)
    .where('kind', '=', kind)
    .where('value_key', '=', valueKey)
    .where('state', '=', 'open')
    .executeTakeFirst()
  return row && { ...shaped(row), business_id: businessId }
}

const monthMs = 30 * dayMs

/** Whether the same value was rejected or undone in the last 30 days. */
export async function wasRejected(tx: Tx, businessId: string, kind: NewCorrection['kind'], valueKey: string, now: Date): Promise<boolean> {
  const row = await tx
    .selectFrom('corrections')
    .select('id')
    .where('business_id', '=', businessId)
    .where('kind', '=', kind)
    .where('value_key', '=', valueKey)
    .where('state', 'in', ['rejected', 'undone'])
    .where(sql<boolean>`coalesce(undone_at, settled_at) > ${new Date(now.getTime() - monthMs)}::timestamptz`)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

type Repeated = { id: string; businessId: string; kind: NewCorrection['kind']; valueKey: string; authorId: string }

/**
 * Copies recent objections to withdrawn suggestions of the same value. Otherwise, withdrawing and repeating a suggestion would settle a
 * dispute without a moderator.
 */
export async function copyObjections(tx: Tx, { id, businessId, kind, valueKey, authorId }: Repeated, now: Date): Promise<void> {
  await sql`
    insert into correction_votes (correction_id, user_id, agrees, created_at)
    select ${id}::uuid, user_id, agrees, created_at from (
      select distinct on (votes.user_id) votes.user_id, votes.agrees, votes.created_at
      from correction_votes votes join corrections withdrawn on withdrawn.id = votes.correction_id
      where withdrawn.business_id = ${businessId}::uuid and withdrawn.kind = ${kind} and withdrawn.value_key = ${valueKey}
        and withdrawn.state = 'withdrawn' and withdrawn.settled_at > ${new Date(now.getTime() - monthMs)}::timestamptz
        and votes.user_id <> ${authorId}::uuid
      order by votes.user_id, votes.created_at desc) latest
    where not agrees`.execute(tx)
}

export const countSuggestedSince = (tx: Tx, userId: string, since: Date): Promise<number> =>
  countRows(tx.selectFrom('corrections').where('user_id', '=', userId).where('created_at', '>', since))

export const countOpen = (tx: Tx, businessId: string): Promise<number> =>
  countRows(tx.selectFrom('corrections').where('business_id', '=', businessId).where('state', '=', 'open'))

export async function voterAt(db: Db, viewerId: string, businessId: string): Promise<Omit<Voter, 'isAuthor' | 'isMuted'>> {
  const row = await db
    .selectFrom('users')
    .select(['has_completed_onboarding as hasCompletedOnboarding', 'created_at as memberSince'])
    .select((eb) => [
      eb
        .exists(eb.selectFrom('business_members').select('role').where('user_id', '=', viewerId).where('business_id', '=', businessId))
        .$castTo<boolean>()
        .as('isTeam'),
      eb
        .exists(
          eb
            .selectFrom('business_person_blocks')
            .select('person_id')
            .where('person_id', '=', viewerId)
            .where('business_id', '=', businessId),
        )
        .$castTo<boolean>()
        .as('isBlockedByBusiness'),
    ])
    .where('id', '=', viewerId)
    .executeTakeFirstOrThrow()
  return row
}

export async function saveVote(tx: Tx, vote: { correctionId: string; userId: string; agrees: boolean }, now: Date): Promise<void> {
  const { correctionId, userId, agrees } = vote
  await tx
    .insertInto('correction_votes')
    .values({ correction_id: correctionId, user_id: userId, agrees, created_at: now })
    .onConflict((conflict) => conflict.columns(['correction_id', 'user_id']).doUpdateSet({ agrees, created_at: now }))
    .execute()
}

export type VoteCounts = { agreeCount: number; disagreeCount: number; yourVote: boolean | null }
const noVotes: VoteCounts = { agreeCount: 0, disagreeCount: 0, yourVote: null }

export async function votesOf(db: Db, ids: readonly string[], viewerId: string): Promise<(id: string) => VoteCounts> {
  if (ids.length === 0) return () => noVotes
  const rows = await db
    .selectFrom('correction_votes')
    .select('correction_id')
    .select([
      sql<number>`count(*) filter (where agrees)::int`.as('agreeCount'),
      sql<number>`count(*) filter (where not agrees)::int`.as('disagreeCount'),
      sql<boolean | null>`bool_or(agrees) filter (where user_id = ${viewerId}::uuid)`.as('yourVote'),
    ])
    .where(sql<boolean>`correction_id = ${pageIds(ids)}`)
    .groupBy('correction_id')
    .execute()
  const counts = new Map(rows.map(({ correction_id, ...votes }) => [correction_id, votes]))
  return (id) => counts.get(id) ?? noVotes
}

type Query = { limit: number; cursor?: string | undefined; state: 'open' | 'settled' }

export async function correctionsOf(db: Db, businessId: string, { limit, cursor, state }: Query): Promise<CorrectionRow[]> {
  const after = decodeCursor(cursor, ['time', 'id'])
  const rows = await db
    .selectFrom('corrections')
    .select(columns)
    .where('business_id', '=', businessId)
    .where('state', '=', state === 'open' ? 'open' : 'applied')
    .$call((query) => newestAfter(query, 'corrections.created_at', 'corrections.id', after))
    .limit(limit + 1)
    .execute()
  return rows.map(shaped)
}

/** Days after which moderators also see corrections that a business's owner hasn't decided. */
const ownerDays = 14

/**
 * SQL condition over `corrections` and `businesses`: an open correction is for moderators. An owner decides first, except about
 * a merge, which requires a moderator unless both listings have the same owner.
 */
export const isForModerators = (now: Date) => sql<boolean>`corrections.state = 'open' and businesses.moderation is null
  and (businesses.claimed_at is null or corrections.kind = 'duplicate' or corrections.created_at < ${new Date(now.getTime() - ownerDays * dayMs)}::timestamptz)`

/** Leaves out the moderator's own corrections and those of businesses they help run. */
export async function correctionCases(db: Db, viewerId: string, { limit, cursor, state }: Query, now: Date): Promise<CorrectionRow[]> {
  const after = decodeCursor(cursor, ['time', 'id'])
  const isUninvolved = sql<boolean>`(corrections.user_id = ${viewerId}::uuid or exists (select from business_members
    where business_members.business_id = corrections.business_id and business_members.user_id = ${viewerId}::uuid)) is not true`
  const cases = db
    .selectFrom('corrections')
    .innerJoin('businesses', 'businesses.id', 'corrections.business_id')
    .select(columns)
    .where(isUninvolved)
  const rows =
    state === 'open'
      ? await cases
          .where(isForModerators(now))
          .$call((query) => oldestAfter(query, 'corrections.created_at', 'corrections.id', after))
          .limit(limit + 1)
          .execute()
      : await cases
          .where('corrections.state', 'in', ['applied', 'rejected', 'undone'])
          .where('businesses.moderation', 'is', null)
          .$call((query) => newestAfter(query, 'corrections.settled_at', 'corrections.id', after))
          .limit(limit + 1)
          .execute()
  return rows.map(shaped)
}

export type NotifiedCorrection = Pick<Selectable<DB['corrections']>, 'kind' | 'state'>

const closings = correctionKinds.filter((kind) => permissionFor(kind) === 'closing')

/** Notifications of a correction are shown to its author, and to those on the business's team who can accept or reject it. */
export const notifiedCorrections: NotifiedSubject<NotifiedCorrection> = (asked, viewer) => sql`
  select asked.id, jsonb_build_object('kind', corrections.kind, 'state', corrections.state) as facts
  from ${asked} asked join corrections on corrections.id = asked.correction_id
    join businesses on businesses.id = corrections.business_id
  where businesses.moderation is null and (corrections.user_id = ${viewer.id}::uuid or exists (
    select from business_members where business_members.business_id = corrections.business_id
      and business_members.user_id = ${viewer.id}::uuid and business_members.role = any(
        case when corrections.kind = any(${closings}::text[]) then ${rolesThatCan('closing')}::text[] else ${rolesThatCan('profile')}::text[] end)))`
