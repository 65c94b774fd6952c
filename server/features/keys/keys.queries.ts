import { type RawBuilder, sql } from 'kysely'
import type { KeyScope } from '#contracts/choices.ts'
import type { BusinessKey } from '#contracts/keys.ts'
import { trustOf } from '#contracts/people.rules.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { bylineColumns, isAccountActive, toPerson } from '#server/features/people/index.ts'
import { rolesThatCan } from '#server/features/team/index.ts'
import type { KeyActor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { newestAfter } from '#server/kernel/keyset.ts'
import { type NotifiedSubject, notifiedId } from '#server/kernel/notified-subject.ts'

type Connections = 'business_keys' | 'webhooks' | 'menu_sources'
type Reading = Pick<Context, 'clock' | 'config'>

/**
 * A key, like any other connection to another system, stops working once its creator may no longer manage connections, so that no one keeps
 * access after leaving a team.
 */
const isByTeam = (table: Connections) => sql<boolean>`(
  exists (select from business_members where business_members.business_id = ${sql.table(table)}.business_id
    and business_members.user_id = ${sql.table(table)}.created_by and business_members.role = any(${rolesThatCan('connections')}::text[])))`

/**
 * Whether the person who set up a connection may still manage connections. The query must include the table and at least a left join of
 * `users`.
 */
export const mayCreatorConnect = (table: Connections, ctx: Reading) =>
  sql<boolean>`(users.id is not null and ${isByTeam(table)} and ${isAccountActive(ctx)})`

/** The owner and managers may see that a connection failed, until it works again or someone restarts it. */
export const notifiedConnections: NotifiedSubject<null> = (asked, viewer) => sql`
  select asked.id, null::jsonb as facts
  from ${asked} asked join business_members on business_members.business_id = asked.business_id
  where business_members.user_id = ${viewer.id}::uuid and business_members.role = any(${rolesThatCan('connections')}::text[])
    and exists (
      select from (
        select failing_since, stopped_at from webhooks where webhooks.id = ${notifiedId('webhook_id', 2)}
        union all select failing_since, stopped_at from menu_sources where menu_sources.id = ${notifiedId('menu_source_id', 2)}) as connection
      where failing_since <= asked.created_at and (stopped_at is not null or asked.type = 'menu_fetch_failed'))`

const workingKeys = (db: Db, ctx: Reading) =>
  db
    .selectFrom('business_keys')
    .innerJoin('users', 'users.id', 'business_keys.created_by')
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', ctx.clock.now())]))
    .where(mayCreatorConnect('business_keys', ctx))

export async function workingKeyNames(db: Db, ctx: Reading, creatorId: string): Promise<string[]> {
  const rows = await workingKeys(db, ctx)
    .select('business_keys.name')
    .where('created_by', '=', creatorId)
    .orderBy('business_keys.id')
    .execute()
  return rows.map(({ name }) => name)
}

const actorColumns = [
  'business_keys.id',
  'business_keys.name',
  'business_keys.business_id',
  'business_keys.scopes',
  'business_keys.last_used_at',
  'users.id as creator_id',
  'users.created_at as creator_since',
  'users.email_verified',
  'users.birthday',
  'users.muted_until',
] as const

type ActorRow = {
  id: string
  name: string
  business_id: string
  scopes: string[]
  creator_id: string
  creator_since: Date
  email_verified: boolean
  birthday: string | null
  muted_until: Date | null
}

const toActor = (row: ActorRow, now: Date): KeyActor => ({
  id: row.id,
  name: row.name,
  businessId: row.business_id,
  // Only this feature writes scopes, so the cast is safe.
  scopes: row.scopes as KeyScope[],
  creator: {
    id: row.creator_id,
    trust: trustOf({ createdAt: row.creator_since, isEmailVerified: row.email_verified }, now),
    birthday: row.birthday,
  },
  mutedUntil: row.muted_until !== null && row.muted_until > now ? row.muted_until : null,
})

/** Uses are recorded to the minute, so that most calls write nothing. */
const usedWithinMs = 60_000

type Ctx = Pick<Context, 'db' | 'clock' | 'config'>

export const findKey = (ctx: Ctx, secretHash: string): Promise<KeyActor | null> =>
  findWorking(ctx, sql<boolean>`business_keys.secret_hash = ${secretHash}`)

/** A token stops working with its key and has at most the key's scopes. */
export async function findKeyOfToken(ctx: Ctx, tokenHash: string): Promise<KeyActor | null> {
  const token = await ctx.db
    .selectFrom('business_key_tokens')
    .select(['key_id', 'scopes'])
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', ctx.clock.now())
    .executeTakeFirst()
  if (!token) return null
  const key = await findWorking(ctx, sql<boolean>`business_keys.id = ${token.key_id}::uuid`)
  return key && { ...key, scopes: key.scopes.filter((scope) => token.scopes.includes(scope)) }
}

async function findWorking(ctx: Ctx, isIt: RawBuilder<boolean>): Promise<KeyActor | null> {
  const now = ctx.clock.now()
  const row = await workingKeys(ctx.db, ctx).select(actorColumns).where(isIt).executeTakeFirst()
  if (!row) return null
  const before = new Date(now.getTime() - usedWithinMs)
  if (row.last_used_at === null || row.last_used_at < before) {
    await ctx.db.updateTable('business_keys').set({ last_used_at: now }).where('id', '=', row.id).execute()
  }
  return toActor(row, now)
}

/** Null if the key has stopped working since the call began. In a transaction, the key can't be revoked until the transaction ends. */
export async function workingKey(db: Db, ctx: Reading, id: string): Promise<KeyActor | null> {
  const row = await workingKeys(db, ctx)
    .select(actorColumns)
    .where('business_keys.id', '=', id)
    .forShare('business_keys')
    .executeTakeFirst()
  return row ? toActor(row, ctx.clock.now()) : null
}

/** `workingKey` for calls that write. @throws AppError signed_out if the key no longer works */
export async function requireWorkingKey(tx: Tx, ctx: Reading, id: string): Promise<KeyActor> {
  const key = await workingKey(tx, ctx, id)
  if (!key) throw new AppError('signed_out', { message: 'This key no longer works. Create another one in the dashboard.' })
  return key
}

const selectKeys = (db: Db, ctx: Reading, businessId: string) =>
  db
    .selectFrom('business_keys')
    .innerJoin('users', 'users.id', 'business_keys.created_by')
    .select(bylineColumns)
    .select([
      'business_keys.id as key_id',
      'business_keys.name',
      'scopes',
      'secret_end',
      'business_keys.created_at',
      'expires_at',
      'revoked_at',
      'business_keys.last_used_at',
    ])
    .select(mayCreatorConnect('business_keys', ctx).as('is_connected'))
    .where('business_keys.business_id', '=', businessId)

type KeyRow = Awaited<ReturnType<ReturnType<typeof selectKeys>['execute']>>[number]

function stateOf(row: KeyRow, now: Date): BusinessKey['state'] {
  if (row.revoked_at !== null) return 'revoked'
  if (row.expires_at !== null && row.expires_at <= now) return 'expired'
  return row.is_connected ? 'working' : 'stopped'
}

const toKey = (row: KeyRow, now: Date): BusinessKey => ({
  id: row.key_id,
  name: row.name,
  scopes: row.scopes as KeyScope[],
  secretEnd: row.secret_end,
  state: stateOf(row, now),
  createdBy: toPerson(row).name,
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at?.toISOString() ?? null,
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
})

export async function keyOf(db: Db, ctx: Reading, businessId: string, id: string): Promise<BusinessKey> {
  const row = await selectKeys(db, ctx, businessId).where('business_keys.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('This key no longer exists.')
  return toKey(row, ctx.clock.now())
}

export async function keysPage(
  db: Db,
  ctx: Reading,
  businessId: string,
  after: readonly [time: string, id: string] | null,
  limit: number,
): Promise<BusinessKey[]> {
  const rows = await selectKeys(db, ctx, businessId)
    .$call((query) => newestAfter(query, 'business_keys.created_at', 'business_keys.id', after))
    .limit(limit)
    .execute()
  return rows.map((row) => toKey(row, ctx.clock.now()))
}
