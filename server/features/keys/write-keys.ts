import type { KeyScope } from '#contracts/choices.ts'
import type { BusinessKey } from '#contracts/keys.ts'
import { maxKeys } from '#contracts/limits.ts'
import { dayMs } from '#contracts/time.ts'
import type { Tx } from '#server/db/connect.ts'
import { countRows } from '#server/db/count-rows.ts'
import { inTransaction, isUniqueViolation } from '#server/db/transaction.ts'
import { type Auth, type ProgramAccess, requireProof } from '#server/features/accounts/index.ts'
import { recordAudit } from '#server/features/audit/index.ts'
import { requirePermission } from '#server/features/team/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField, notFound } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'
import { hashOfSecret, newSecret } from '#server/kernel/secrets.ts'
import { keyOf, workingKeyNames } from './keys.queries.ts'

type Ctx = Pick<Context, 'db' | 'clock'>

/** Lets scanners for leaked secrets recognize a key. */
const prefix = 'sgk_'
export const tokenPrefix = 'sgt_'

export const isKey = (text: string): boolean => /^sgk_[A-Za-z0-9_-]{43}$/.test(text)
export const isToken = (text: string): boolean => /^sgt_[A-Za-z0-9_-]{43}$/.test(text)

type NewKey = { name: string; scopes: readonly KeyScope[]; expiresInDays: number | null; password: string }

/**
 * A key works without the person's password, so creating one requires it. The secret is returned once and not stored, so the call isn't
 * idempotent. The unique name keeps a retry from creating a second key.
 * @throws AppError not_found, forbidden, anything `requireProof` throws, invalid_input for a scope listed twice, conflict if the name is
 * taken or there are too many keys
 */
export async function createKey(
  ctx: Context,
  auth: Auth,
  actor: Actor,
  idOrSlug: string,
  { name, scopes, expiresInDays, password }: NewKey,
): Promise<{ key: BusinessKey; secret: string }> {
  const twice = scopes.findIndex((scope, i) => scopes.indexOf(scope) !== i)
  if (twice !== -1) throw invalidField(`scopes.${twice}`, 'This is listed twice')
  await requirePermission(ctx.db, actor, idOrSlug, 'connections')
  await requireProof(ctx, auth, actor, password)
  const now = ctx.clock.now()
  const secret = newSecret(prefix)
  return inTransaction(ctx.db, async (tx) => {
    const business = await requirePermission(tx, actor, idOrSlug, 'connections', { lock: true })
    await requireRoom(tx, business.id)
    const id = newId()
    await tx
      .insertInto('business_keys')
      .values({
        id,
        business_id: business.id,
        created_by: actor.id,
        name,
        scopes: [...scopes],
        secret_hash: hashOfSecret(secret),
        secret_end: secret.slice(-4),
        created_at: now,
        expires_at: expiresInDays === null ? null : new Date(now.getTime() + expiresInDays * dayMs),
      })
      .execute()
    const key = await keyOf(tx, ctx, business.id, id)
    await ctx.jobs.enqueue('accounts.mail-sign-in-change', { userId: actor.id, change: 'business-key-created' }, { tx })
    await audit(tx, actor, 'key.created', { id, businessId: business.id, now })
    return { key, secret }
  }).catch((error: unknown) => {
    if (!isUniqueViolation(error, 'business_keys_active_names')) throw error
    throw new AppError('conflict', {
      message: `A key named “${name}” already exists. Choose another name, or revoke that key first.`,
      fields: { name: 'Another key has this name' },
    })
  })
}

/** Locks the business's row, so that concurrent calls can't exceed the limit. */
async function requireRoom(tx: Tx, businessId: string): Promise<void> {
  await tx.selectFrom('businesses').select('id').where('id', '=', businessId).forNoKeyUpdate().execute()
  const count = await countRows(tx.selectFrom('business_keys').where('business_id', '=', businessId).where('revoked_at', 'is', null))
  if (count >= maxKeys) {
    throw new AppError('conflict', { message: `A business can have up to ${maxKeys} keys. Revoke one you no longer use.` })
  }
}

/** @throws AppError not_found, forbidden */
export async function revokeKey({ db, clock }: Ctx, actor: Actor, idOrSlug: string, keyId: string): Promise<void> {
  const now = clock.now()
  await inTransaction(db, async (tx) => {
    const business = await requirePermission(tx, actor, idOrSlug, 'connections', { lock: true })
    const key = await tx
      .selectFrom('business_keys')
      .select('revoked_at')
      .where('id', '=', keyId)
      .where('business_id', '=', business.id)
      .forUpdate()
      .executeTakeFirst()
    if (!key) throw notFound('This key no longer exists.')
    if (key.revoked_at !== null) return
    await tx.updateTable('business_keys').set({ revoked_at: now }).where('id', '=', keyId).execute()
    await audit(tx, actor, 'key.revoked', { id: keyId, businessId: business.id, now })
  })
}

export const businessKeyAccess: ProgramAccess = {
  async endSince(tx, { userId, since }, now) {
    await tx
      .updateTable('business_keys')
      .set({ revoked_at: now })
      .where('created_by', '=', userId)
      .where('created_at', '>=', since)
      .where('revoked_at', 'is', null)
      .execute()
  },
  workingNames: workingKeyNames,
}

const audit = (tx: Tx, actor: Actor, action: `key.${string}`, { id, businessId, now }: { id: string; businessId: string; now: Date }) =>
  recordAudit(tx, { at: now, actorId: actor.id, action, subjectType: 'key', subjectId: id, businessId })
