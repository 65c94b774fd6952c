import { mostPasskeys, type NewPasskeyAnswer, type NewPasskeyOptions, type Passkey } from '../../../contracts/sign-in.ts'
import { inTransaction, isUniqueViolation } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Auth } from './auth.ts'
import { takeValue } from './one-use-secrets.ts'
import { checkNewPasskey, issueChallenge, newPasskeyOptions, requirePasskeys } from './passkey-ceremony.ts'
import { keeperOf } from './passkey-keepers.ts'
import { type PasskeyRow, passkeysOf } from './passkeys.queries.ts'
import { requireProof, requireRoleShown } from './proof.ts'
import { auditOwn, tellOfChange } from './sign-in-news.ts'
import { lockAccount, requireWayIn } from './ways-in.ts'

export const toPasskey = (row: PasskeyRow): Passkey => ({
  id: row.id,
  name: row.name,
  keeper: keeperOf(row.aaguid),
  isSynced: row.is_synced,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
})

/** Of this session alone. */
const challengeName = ({ sessionId }: Actor) => `passkey-new:${sessionId}`

/**
 * What the browser asks the device for.
 * @throws AppError second_factor_required, what `requireProof` throws, conflict (twenty already, or none possible here)
 */
export async function beginPasskey(ctx: Context, auth: Auth, actor: Actor, password: string): Promise<NewPasskeyOptions> {
  requirePasskeys(ctx)
  requireRoleShown(actor)
  const { email } = await requireProof(ctx, auth, actor, password)
  const known = await passkeysOf(ctx.db, actor.id)
  requireRoom(known.length)
  const challenge = await issueChallenge(ctx, challengeName(actor))
  return newPasskeyOptions(ctx, { challenge, userId: actor.id, email, known })
}

function requireRoom(count: number): void {
  if (count >= mostPasskeys) {
    throw new AppError('conflict', { message: `You have ${mostPasskeys} passkeys. Remove one that you do not use any more first.` })
  }
}

type Given = { name: string; answer: NewPasskeyAnswer }

/** @throws AppError second_factor_required, invalid_token (no answer to what was asked, or too late), conflict (known already, or twenty) */
export async function addPasskey(ctx: Context, actor: Actor, { name, answer }: Given): Promise<Passkey> {
  requireRoleShown(actor)
  const now = ctx.clock.now()
  const challenge = await takeValue(ctx.db, challengeName(actor), now)
  const made = challenge === null ? null : await checkNewPasskey(ctx, challenge, answer)
  if (!made)
    throw new AppError('invalid_token', {
      message: 'The passkey could not be added: it took too long, or was made for another site. Try again.',
    })
  const row: PasskeyRow = {
    id: newId(),
    user_id: actor.id,
    credential_id: made.credential.id,
    public_key: Buffer.from(made.credential.publicKey).toString('base64url'),
    counter: made.credential.counter,
    transports: answer.response.transports ?? [],
    aaguid: made.aaguid,
    is_syncable: made.credentialDeviceType === 'multiDevice',
    is_synced: made.credentialBackedUp,
    name,
    created_at: now,
    last_used_at: null,
  }
  try {
    await inTransaction(ctx.db, async (tx) => {
      await lockAccount(tx, actor.id)
      requireRoom((await passkeysOf(tx, actor.id)).length)
      await tx.insertInto('passkeys').values(row).execute()
      await tellOfChange(ctx, tx, actor.id, 'passkey-added')
    })
  } catch (error) {
    if (!isUniqueViolation(error, 'passkeys_credential_id_key')) throw error
    throw new AppError('conflict', { message: 'This passkey has been added already.' })
  }
  return toPasskey(row)
}

/** @throws AppError not_found */
export async function renamePasskey(ctx: Context, actor: Actor, id: string, name: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('passkeys')
      .set({ name })
      .where('id', '=', id)
      .where('user_id', '=', actor.id)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw notFound('This passkey is gone.')
    await auditOwn(ctx, tx, actor.id, 'passkey.renamed')
  })
}

/** @throws AppError second_factor_required, what `requireProof` throws, not_found, conflict (the last way to sign in) */
export async function removePasskey(
  ctx: Context,
  auth: Auth,
  actor: Actor,
  { id, password }: { id: string; password: string },
): Promise<void> {
  requireRoleShown(actor)
  await requireProof(ctx, auth, actor, password)
  await inTransaction(ctx.db, async (tx) => {
    await lockAccount(tx, actor.id)
    const { numDeletedRows } = await tx.deleteFrom('passkeys').where('id', '=', id).where('user_id', '=', actor.id).executeTakeFirst()
    if (numDeletedRows === 0n) throw notFound('This passkey is gone.')
    await requireWayIn(tx, ctx.config, actor.id)
    await tellOfChange(ctx, tx, actor.id, 'passkey-removed')
  })
}
