import { maxPasskeys } from '#contracts/limits.ts'
import type { NewPasskeyAnswer, NewPasskeyOptions, Passkey } from '#contracts/sign-in.ts'
import { inTransaction, isUniqueViolation } from '#server/db/transaction.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'
import { type PasskeyRow, passkeysOf } from './accounts.queries.ts'
import type { Auth } from './auth.ts'
import { takeValue } from './one-use-secrets.ts'
import { checkNewPasskey, issueChallenge, newPasskeyOptions, requirePasskeys } from './passkey-ceremony.ts'
import { lockAccount, requireProof, requireRoleShown, requireWayIn } from './proof.ts'
import { auditOwn, sendSignInNotice } from './sign-in-news.ts'

export const toPasskey = (row: PasskeyRow): Passkey => ({
  id: row.id,
  name: row.name,
  keeper: keeperOf(row.aaguid),
  isSynced: row.is_synced,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
})

const challengeName = ({ sessionId }: Actor) => `passkey-new:${sessionId}`

/**
 * Creates the options that the browser passes to the device.
 * @throws AppError second_factor_required, anything `requireProof` throws, conflict (limit of 20 reached, or unsupported here)
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
  if (count >= maxPasskeys) {
    throw new AppError('conflict', { message: `You have ${maxPasskeys} passkeys. First remove one that you no longer use.` })
  }
}

type Given = { name: string; answer: NewPasskeyAnswer }

/** @throws AppError second_factor_required, invalid_token (wrong response, or too late), conflict (already registered, or limit of 20) */
export async function addPasskey(ctx: Context, actor: Actor, { name, answer }: Given): Promise<Passkey> {
  requireRoleShown(actor)
  const now = ctx.clock.now()
  const challenge = await takeValue(ctx.db, challengeName(actor), now)
  const made = challenge === null ? null : await checkNewPasskey(ctx, challenge, answer)
  if (!made)
    throw new AppError('invalid_token', {
      message: "We couldn't add the passkey: it took too long, or was made for another site. Try again.",
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
      await sendSignInNotice(ctx, tx, actor.id, 'passkey-added')
    })
  } catch (error) {
    if (!isUniqueViolation(error, 'passkeys_credential_id_key')) throw error
    throw new AppError('conflict', { message: 'This passkey is already added.' })
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
    if (numUpdatedRows === 0n) throw notFound('This passkey no longer exists.')
    await auditOwn(ctx, tx, actor.id, 'passkey.renamed')
  })
}

/** @throws AppError second_factor_required, anything `requireProof` throws, not_found, conflict (the last sign-in method) */
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
    if (numDeletedRows === 0n) throw notFound('This passkey no longer exists.')
    await requireWayIn(tx, ctx.config, actor.id)
    await sendSignInNotice(ctx, tx, actor.id, 'passkey-removed')
  })
}

/** Common passkey providers by AAGUID. Shown as a hint only, since the AAGUID can't be trusted. */
const keepers: Record<string, string> = {
  'fbfc3007-154e-4ecc-8c0b-6e020557d7bd': 'Apple Passwords',
  'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4': 'Google Password Manager',
  'adce0002-35bc-c60a-648b-0b25f1f05503': 'Chrome on macOS',
  '08987058-cadc-4b81-b6e1-30de50dcbe96': 'Windows Hello',
  '9ddd1817-af5a-4672-a2b9-3e3dd95000a9': 'Windows Hello',
  '6028b017-b1d4-4c02-b4b3-afcdafc96bb2': 'Windows Hello',
  '53414d53-554e-4700-0000-000000000000': 'Samsung Pass',
  'bada5566-a7aa-401f-bd96-45619a55120d': '1Password',
  'd548826e-79b4-db40-a3d8-11116f7e8349': 'Bitwarden',
  '531126d6-e717-415c-9320-3d9aa6981239': 'Dashlane',
}

const keeperOf = (aaguid: string): string | null => keepers[aaguid] ?? null
