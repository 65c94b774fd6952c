import { type SelectQueryBuilder, sql } from 'kysely'
import type { PersonKeyScope } from '#contracts/choices.ts'
import { maxPersonKeys } from '#contracts/limits.ts'
import { trustOf } from '#contracts/people.rules.ts'
import type { PersonKey } from '#contracts/sign-in.ts'
import { dayMs } from '#contracts/time.ts'
import type { DB, Db } from '#server/db/connect.ts'
import { countRows } from '#server/db/count-rows.ts'
import { inTransaction, isUniqueViolation } from '#server/db/transaction.ts'
import type { Actor, PersonKeyReader } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { hashOfSecret, newSecret } from '#server/kernel/secrets.ts'
import { accountStatusOf } from './accounts.view.ts'
import type { Auth } from './auth.ts'
import { auditOwn, lockOwnAccount, requireProof, sendSignInNotice } from './proof.ts'

/** Lets scanners for leaked secrets recognize a key, and distinguishes it from a business's key. */
const prefix = 'sgp_'
const pattern = /^Bearer +(sgp_[A-Za-z0-9_-]{43})$/i

const columns = ['id', 'name', 'scopes', 'secret_end', 'created_at', 'expires_at', 'last_used_at'] as const

const keysOf = (db: Db, userId: string) => db.selectFrom('person_keys').where('user_id', '=', userId)

type Row = Awaited<ReturnType<typeof selected>>[number]
const selected = (query: SelectQueryBuilder<DB, 'person_keys', object>) => query.select(columns).execute()

const toKey = (row: Row, now: Date): PersonKey => ({
  id: row.id,
  name: row.name,
  // Only this feature writes scopes, so the cast is safe.
  scopes: row.scopes as PersonKeyScope[],
  secretEnd: row.secret_end,
  isExpired: row.expires_at !== null && row.expires_at <= now,
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at?.toISOString() ?? null,
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
})

type PageQuery = { limit: number; cursor?: string | undefined }

export async function listPersonKeys({ db, clock }: Context, actor: Actor, { limit, cursor }: PageQuery): Promise<Page<PersonKey>> {
  const after = decodeCursor(cursor, ['id'])
  const rows = await selected(
    keysOf(db, actor.id)
      .$if(after !== null, (query) => query.where('id', '<', after?.[0] as string))
      .orderBy('id', 'desc')
      .limit(limit + 1),
  )
  const page = toPage(rows, limit, ({ id }) => [id])
  return { ...page, items: page.items.map((row) => toKey(row, clock.now())) }
}

type NewKey = { name: string; scopes: readonly PersonKeyScope[]; expiresInDays: number | null; password: string }

/**
 * A key works without the person's password, so creating one requires it. The secret is returned once and not stored, so the
 * call isn't idempotent; the unique name keeps a repeated call from creating a second key.
 * @throws AppError anything `requireProof` throws, invalid_input for a scope listed twice, conflict if the name is taken or there are
 * too many keys
 */
export async function createPersonKey(
  ctx: Context,
  auth: Auth,
  actor: Actor,
  { name, scopes, expiresInDays, password }: NewKey,
): Promise<{ key: PersonKey; secret: string }> {
  const twice = scopes.findIndex((scope, i) => scopes.indexOf(scope) !== i)
  if (twice !== -1) throw invalidField(`scopes.${twice}`, 'This is listed twice')
  await requireProof(ctx, auth, actor, password)
  const now = ctx.clock.now()
  const secret = newSecret(prefix)
  const row = {
    id: newId(),
    name,
    scopes: [...scopes],
    secret_end: secret.slice(-4),
    created_at: now,
    expires_at: expiresInDays === null ? null : new Date(now.getTime() + expiresInDays * dayMs),
    last_used_at: null,
  }
  try {
    await inTransaction(ctx.db, async (tx) => {
      // Serializes concurrent calls, so they can't exceed the limit.
      await lockOwnAccount(tx, actor)
      if ((await countRows(keysOf(tx, actor.id))) >= maxPersonKeys) {
        throw new AppError('conflict', { message: `You can have up to ${maxPersonKeys} keys. Revoke one that you no longer use.` })
      }
      await tx
        .insertInto('person_keys')
        .values({ ...row, user_id: actor.id, secret_hash: hashOfSecret(secret) })
        .execute()
      await sendSignInNotice(ctx, tx, actor.id, 'key-created')
    })
  } catch (error) {
    if (!isUniqueViolation(error, 'person_keys_names')) throw error
    throw new AppError('conflict', {
      message: `You already have a key named “${name}”. Choose another name, or revoke that key first.`,
      fields: { name: 'Another key has this name' },
    })
  }
  return { key: toKey(row, now), secret }
}

/** No-op for another person's key. */
export async function revokePersonKey(ctx: Context, actor: Actor, id: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const { numDeletedRows } = await tx.deleteFrom('person_keys').where('user_id', '=', actor.id).where('id', '=', id).executeTakeFirst()
    if (numDeletedRows > 0n) await auditOwn(ctx, tx, actor.id, 'person_key.revoked')
  })
}

/** A use is recorded at most once a minute, so that most calls write nothing. */
const usedWithinMs = 60_000

/**
 * Reads the database for every call, so that a revocation or suspension applies immediately. Text that can't be a key isn't
 * looked up. A moderator's or admin's key has only a member's rights, because a key can't confirm a second factor.
 */
export const createPersonKeyReader = ({ db, clock }: Pick<Context, 'db' | 'clock'>): PersonKeyReader => ({
  async read(authorization) {
    const [, secret] = pattern.exec(authorization ?? '') ?? []
    if (secret === undefined) return null
    const now = clock.now()
    const row = await db
      .selectFrom('person_keys')
      .innerJoin('users', 'users.id', 'person_keys.user_id')
      .select(['person_keys.id as key_id', 'scopes', 'person_keys.last_used_at', 'users.id', 'users.created_at', 'email_verified'])
      .select(['muted_until', 'suspended_until', 'banned_at', 'leaves_at', 'subscription_tier', 'user_type', 'birthday'])
      .where('secret_hash', '=', hashOfSecret(secret))
      .where(sql<boolean>`(expires_at is null or expires_at > ${now}::timestamptz)`)
      // Demo accounts have a public password.
      .where('is_demo', '=', false)
      .executeTakeFirst()
    if (!row) return null
    if (row.last_used_at === null || row.last_used_at < new Date(now.getTime() - usedWithinMs)) {
      await db.updateTable('person_keys').set({ last_used_at: now }).where('id', '=', row.key_id).execute()
    }
    return {
      id: row.key_id,
      scopes: row.scopes as PersonKeyScope[],
      actor: {
        id: row.id,
        sessionId: row.key_id,
        role: 'member',
        grantedRole: 'member',
        owesSecondFactor: false,
        trust: trustOf({ createdAt: row.created_at, isEmailVerified: row.email_verified }, now),
        ...accountStatusOf(row, now),
        hasPlan: row.subscription_tier !== null,
        leavesAt: row.leaves_at,
        userType: row.user_type,
        isDemo: false,
        birthday: row.birthday,
      },
    }
  },
})
