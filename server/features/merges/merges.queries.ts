import { type RawBuilder, sql } from 'kysely'
import type { MergePreview } from '#contracts/merges.endpoints.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { asLocked } from '#server/db/locked.ts'
import type { Pair } from './merge-tables.ts'

export type MergingBusiness = NonNullable<Awaited<ReturnType<typeof mergingBusinesses>>>['from']

/** Returns null if one of them is missing or hidden by moderators. */
export const mergingBusinesses = (db: Db, pair: Pair) => selectBoth(db, pair, { isLocking: false })

export async function lockMergingBusinesses(tx: Tx, pair: Pair) {
  const both = await selectBoth(tx, pair, { isLocking: true })
  return both && { ...both, fromId: asLocked('businesses', both.from.id), intoId: asLocked('businesses', both.into.id) }
}

async function selectBoth(db: Db, { fromId, intoId }: Pair, { isLocking }: { isLocking: boolean }) {
  const rows = await db
    .selectFrom('businesses')
    .select(['id', 'slug', 'name', 'is_demo', 'claimed_at', 'closure', 'register_place'])
    .where('id', 'in', [fromId, intoId])
    .where('moderation', 'is', null)
    .orderBy('id')
    .$if(isLocking, (query) => query.forUpdate())
    .execute()
  const from = rows.find(({ id }) => id === fromId)
  const into = rows.find(({ id }) => id === intoId)
  return from && into ? { from, into } : null
}

/** The business that the address of a merged one redirects to; null for other addresses. */
export async function mergedInto(db: Db, idOrSlug: string): Promise<{ id: string; name: string } | null> {
  const { rows } = await sql<{ id: string; name: string }>`
    select businesses.id, businesses.name from business_redirects join businesses on businesses.id = business_redirects.business_id
    where from_id::text = ${idOrSlug} or business_redirects.slug = ${idOrSlug}`.execute(db)
  return rows[0] ?? null
}

/** SQL over `claims`: an open claim of a listing. Proofs of a license move with its verification. */
const isOpenClaim = sql<boolean>`(status = 'open' and verification_id is null)`

/** Closes claims whose code has expired, because moderators can't decide them. */
export const closeExpiredClaims = (tx: Tx, { fromId }: Pair, now: Date) =>
  tx
    .updateTable('claims')
    .set({ status: 'closed', closed_because: 'expired', decided_at: now })
    .where('business_id', '=', fromId)
    .where(isOpenClaim)
    .where('code_expires_at', '<=', now)
    .execute()

type Conflicts = {
  has_two_owners: boolean
  has_open_claim: boolean
  has_two_plans: boolean
  paid_twice: boolean
  is_blocked_payer: boolean
  has_two_accounts: boolean
  had_same_account: boolean
  has_two_checks: boolean
  is_importing: boolean
}

/** Why two businesses can't be merged now, and what to do about it; null if they can. */
export async function findObstacle(db: Db, from: MergingBusiness, into: MergingBusiness, now: Date): Promise<string | null> {
  if (from.is_demo !== into.is_demo) return 'One of the two is fictional, so they can’t be merged.'
  const isFrom = sql`business_id = ${from.id}::uuid`
  const isInto = sql`business_id = ${into.id}::uuid`
  const ids = sql`(${from.id}::uuid, ${into.id}::uuid)`
  const isLive = sql`(status in ('pending', 'active', 'past_due') or entitled_until > ${now}::timestamptz)`
  const areAccountsOfBoth = (condition: RawBuilder<unknown>) => sql`exists (
    select from business_payment_accounts a join business_payment_accounts b on a.provider = b.provider and ${condition}
    where a.business_id = ${from.id}::uuid and a.retired_at is null and b.business_id = ${into.id}::uuid)`
  const { rows } = await sql<Conflicts>`select
    (select count(distinct user_id) > 1 from business_members where business_id in ${ids} and role = 'owner') as has_two_owners,
    exists (select from claims where ${isOpenClaim} and (code_expires_at is null or code_expires_at > ${now}::timestamptz)
      and (${isFrom} or (${isInto} and ${into.claimed_at === null}))) as has_open_claim,
    (select count(distinct business_id) > 1 from agreements where business_id in ${ids} and ${isLive}) as has_two_plans,
    exists (select from agreements where subscribe_to in ${ids} and ${isLive}
      group by payer_id having count(distinct subscribe_to) > 1)
    or exists (select from subscriptions where business_id in ${ids} and is_paid group by user_id having count(*) > 1) as paid_twice,
    exists (select from subscriptions s where ${isFrom} and is_paid and (
      exists (select from business_blocks b where b.business_id = ${into.id}::uuid and b.user_id = s.user_id)
      or exists (select from business_person_blocks b where b.business_id = ${into.id}::uuid and b.person_id = s.user_id))) as is_blocked_payer,
    ${areAccountsOfBoth(sql`b.retired_at is null`)} as has_two_accounts,
    ${areAccountsOfBoth(sql`a.client_id = b.client_id`)} as had_same_account,
    (select count(*) > 1 from license_verifications where business_id in ${ids} and status = 'pending') as has_two_checks,
    exists (select from menu_imports where business_id in ${ids} and status = 'running') as is_importing`.execute(db)
  const conflicts = rows[0] as Conflicts
  const found = (Object.keys(conflicts) as (keyof Conflicts)[]).find((name) => conflicts[name])
  return found === undefined ? null : obstacles[found](from.name, into.name)
}

const obstacles: Record<keyof Conflicts, (from: string, into: string) => string> = {
  has_two_owners: (from, into) => `Different people own ${from} and ${into}. One of them has to transfer theirs to the other first.`,
  has_open_claim: () => 'Someone is claiming one of these businesses. Decide the claim first.',
  has_two_plans: () => 'Both have a paid plan. Cancel one of them, and merge once it has ended.',
  paid_twice: () => 'Someone pays for subscriptions to both. Merge once one of those subscriptions has ended.',
  is_blocked_payer: (from, into) =>
    `A paying subscriber to ${from} has blocked ${into} or is blocked by it. Remove the block or end the subscription first.`,
  has_two_accounts: (from) =>
    `Both receive payments through their own accounts at the same provider. First disconnect the account of ${from}.`,
  had_same_account: (from, into) =>
    `${into} used the payment account of ${from} before. Disconnect it from ${from} first, and connect it to ${into} again after the merge.`,
  has_two_checks: () => 'Both are waiting for a license check. Decide or withdraw one of them first.',
  is_importing: () => 'A menu is being imported. Try again in a few minutes.',
}

type Counts = MergePreview['counts'] & { losesMenu: boolean }

export async function countMerge(db: Db, { fromId, intoId }: Pair): Promise<Counts> {
  const of = (table: string) => sql`(select count(*)::int from ${sql.table(table)} where business_id = ${fromId}::uuid)`
  const { rows } = await sql<Counts>`select
    ${of('business_follows')} as followers, ${of('subscriptions')} as subscribers, ${of('favorites')} as favorites,
    ${of('reviews')} as reviews, ${of('posts')} as posts, ${of('gallery_items')} as photos, ${of('licenses')} as licenses,
    ${of('products')} as "menuItems", ${of('conversations')} as conversations,
    (select count(*)::int from (${supersededReviews({ fromId, intoId })}) superseded) as "reviewsTakenOff",
    exists (select from products where business_id = ${fromId}::uuid)
      and exists (select from products where business_id = ${intoId}::uuid) as "losesMenu"`.execute(db)
  return rows[0] as Counts
}

/** SQL: the older of a person's reviews of both businesses, and reviews by their teams. */
export const supersededReviews = ({ fromId, intoId }: Pair) => sql`
  select id from (
    select id, row_number() over (partition by user_id order by greatest(created_at, coalesce(edited_at, created_at)) desc, id desc) as place,
      exists (select from business_members where business_members.user_id = reviews.user_id
        and business_members.business_id in (${fromId}::uuid, ${intoId}::uuid)) as is_own
    from reviews where business_id in (${fromId}::uuid, ${intoId}::uuid)) written
  where place > 1 or is_own`

type Settled = { actorId: string; as: 'owner' | 'moderators'; now: Date }

/**
 * Marks open corrections as applied if they say that one of the two duplicates the other, and all others about the merged business
 * as superseded. Corrections that call another listing a duplicate of the merged business now name the remaining one. Returns the IDs
 * of those applied.
 */
export async function settleCorrections(tx: Tx, { fromId, intoId }: Pair, { actorId, as, now }: Settled): Promise<string[]> {
  const isAnswered = sql`kind = 'duplicate' and (
    (business_id = ${fromId}::uuid and value ->> 'of' = ${intoId}) or (business_id = ${intoId}::uuid and value ->> 'of' = ${fromId}))`
  const { rows } = await sql<{ id: string; state: string }>`
    update corrections set state = case when ${isAnswered} then 'applied' else 'superseded' end,
      settled_as = ${as}, settled_by = ${actorId}::uuid, settled_at = ${now}::timestamptz
    where state = 'open' and (business_id = ${fromId}::uuid or (${isAnswered}))
    returning id, state`.execute(tx)
  // The facts they replaced were on a deleted page, so nothing can be undone.
  await sql`update corrections set business_id = ${intoId}::uuid, replaced = null where business_id = ${fromId}::uuid`.execute(tx)
  const namesFrom = sql`state = 'open' and kind = 'duplicate' and value ->> 'of' = ${fromId}`
  await sql`update corrections set state = 'superseded', settled_as = ${as}, settled_by = ${actorId}::uuid, settled_at = ${now}::timestamptz
    where ${namesFrom} and exists (select from corrections same where same.business_id = corrections.business_id
      and same.state = 'open' and same.kind = 'duplicate' and same.value ->> 'of' = ${intoId})`.execute(tx)
  await sql`update corrections set value = jsonb_set(value, '{of}', to_jsonb(${intoId}::text)), value_key = ${intoId}
    where ${namesFrom}`.execute(tx)
  return rows.filter(({ state }) => state === 'applied').map(({ id }) => id)
}

/** Closes reports and cases about the merged business, because its page no longer exists. */
export async function closeCases(tx: Tx, businessId: string, actorId: string, now: Date): Promise<void> {
  await sql`
    update moderation_cases set status = 'decided', decided_at = ${now}::timestamptz, decided_by = ${actorId}::uuid
    where subject = 'business' and subject_id = ${businessId}::uuid and status = 'open'`.execute(tx)
  for (const table of ['reports', 'earlier_reports'] as const) {
    await sql`
      update ${sql.table(table)} set resolved_at = ${now}::timestamptz
      where subject = 'business' and subject_id = ${businessId}::uuid and resolved_at is null`.execute(tx)
  }
}
