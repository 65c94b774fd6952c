import { isUuid } from '#contracts/addresses.ts'
import { inTransaction, isUniqueViolation } from '#server/db/transaction.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField } from '#server/kernel/errors.ts'
import { deleteSessionsOf } from './accounts.queries.ts'
import type { Auth, ProgramAccess } from './auth.ts'
import {
  confirmableMs,
  deleteChangesSince,
  deletePendingEmailChange,
  deleteSignInMethodsSince,
  type EmailChange,
  findEmailChange,
  insertEmailChange,
  isReserved,
  lockEmailChange,
  markConfirmed,
  setEmail,
  undoableMs,
} from './email-changes.queries.ts'
import { limitOwnMail } from './limits.ts'
import { consumeSecret, endMailTokens, isSecretValid, issueSecret } from './one-use-secrets.ts'
import { auditOwn, lockAccount, lockOwnAccount, requireActiveRole, requireProof, signalSessionsEnded } from './proof.ts'

/**
 * Requests a change of address, which takes effect only when the link emailed to the new address is opened. The email job checks
 * whether the new address has an account, so neither the response nor its timing reveals it. The old address gets a link to stop
 * the change.
 * @throws AppError second_factor_required, anything `requireProof` throws, invalid_input (the current address), too_many_requests
 */
export async function requestEmailChange(
  ctx: Context,
  auth: Auth,
  actor: Actor,
  { email, password }: { email: string; password: string },
): Promise<void> {
  requireActiveRole(actor)
  const proof = await requireProof(ctx, auth, actor, password)
  if (proof.email === email) throw invalidField('email', 'This is already your address.')
  await limitOwnMail(ctx, email)
  // Also prevents one account from mailing many strangers.
  await limitOwnMail(ctx, actor.id)
  const now = ctx.clock.now()
  await inTransaction(ctx.db, async (tx) => {
    const account = await lockOwnAccount(tx, actor)
    await deletePendingEmailChange(tx, actor.id)
    const changeId = await insertEmailChange(tx, { userId: actor.id, from: account.email, to: email }, now)
    await ctx.jobs.enqueue('accounts.mail-new-address', { changeId }, { tx })
    await ctx.jobs.enqueue('accounts.mail-old-address', { changeId, isDone: false }, { tx })
    await auditOwn(ctx, tx, actor.id, 'email.change_requested')
  })
}

export async function cancelEmailChange(ctx: Context, actor: Actor): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    await lockOwnAccount(tx, actor)
    if (await deletePendingEmailChange(tx, actor.id)) await auditOwn(ctx, tx, actor.id, 'email.change_cancelled')
  })
}

type LinkKind = 'confirm' | 'undo'

/** The `email-` prefix separates these identifiers from others keyed by an ID. */
const identifierOf = (kind: LinkKind, changeId: string) => `email-${kind}:${changeId}`

/** Call when the email is sent, so that the token is never stored in the queue. */
export async function issueChangeToken(ctx: Pick<Context, 'db' | 'clock'>, kind: LinkKind, changeId: string): Promise<string> {
  const lifetimeMs = kind === 'confirm' ? confirmableMs : confirmableMs + undoableMs
  return `${changeId}.${await issueSecret(ctx.db, identifierOf(kind, changeId), lifetimeMs, ctx.clock.now())}`
}

const partsOf = (token: string) => {
  const [changeId = '', secret = ''] = token.split('.')
  return { changeId, secret }
}

const taken = () =>
  new AppError('email_taken', { message: 'This address now belongs to another account. Your account keeps its current address.' })

/** Two accounts may confirm the same address concurrently. The second gets email_taken. */
async function unlessTaken(write: Promise<void>): Promise<void> {
  try {
    await write
  } catch (error) {
    throw isUniqueViolation(error, 'users_email_key') ? taken() : error
  }
}

/** Reads the change without a lock, because callers lock the account's row first, then the change's. */
async function findChange(ctx: Context, token: string): Promise<EmailChange> {
  const { changeId } = partsOf(token)
  const change = isUuid(changeId) ? await findEmailChange(ctx.db, changeId) : undefined
  if (!change) throw new AppError('invalid_token')
  return change
}

/**
 * Applies the change, using the link emailed to the new address. Idempotent while the link is valid. Doesn't sign anyone in.
 * @throws AppError invalid_token, email_taken (the address now belongs to another account)
 */
export async function confirmEmailChange(ctx: Context, token: string): Promise<void> {
  const now = ctx.clock.now()
  const { changeId, secret } = partsOf(token)
  const found = await findChange(ctx, token)
  await unlessTaken(
    inTransaction(ctx.db, async (tx) => {
      const account = await lockAccount(tx, found.user_id)
      const change = await lockEmailChange(tx, changeId)
      if (!change || !(await isSecretValid(tx, identifierOf('confirm', changeId), secret, now))) throw new AppError('invalid_token')
      if (change.confirmed_at !== null) return
      if (change.expires_at <= now || account.email !== change.old_email) throw new AppError('invalid_token')
      await setEmail(tx, account.id, change.new_email, now)
      // Checked last, because the update may have waited for a change that reserves this address.
      if (await isReserved(tx, change.new_email, now, account.id)) throw taken()
      await markConfirmed(tx, changeId, now)
      // A reset link in the old mailbox must no longer work.
      await endMailTokens(tx, 'reset-password', account)
      await ctx.jobs.enqueue('accounts.mail-old-address', { changeId, isDone: true }, { tx })
      await auditOwn(ctx, tx, account.id, 'email.changed')
    }),
  )
}

/**
 * Undoes a change of address, using the link emailed to the old one. Restores the old address whatever has happened since, ends
 * every session, deletes the password and any sign-in method added since, ends access given to programs since, such as API keys of a
 * business, and emails a link to set a new password. A second factor remains on, so someone who can only read the mailbox still can't sign in.
 * @throws AppError invalid_token, email_taken
 */
export async function undoEmailChange(ctx: Context, programs: readonly ProgramAccess[], token: string): Promise<void> {
  const now = ctx.clock.now()
  const { changeId, secret } = partsOf(token)
  const found = await findChange(ctx, token)
  await unlessTaken(
    inTransaction(ctx.db, async (tx) => {
      const account = await lockAccount(tx, found.user_id)
      const change = await lockEmailChange(tx, changeId)
      const isInTime = change && (change.confirmed_at ?? now).getTime() + undoableMs > now.getTime()
      if (!isInTime || !(await consumeSecret(tx, identifierOf('undo', changeId), secret, now))) throw new AppError('invalid_token')
      if (change.confirmed_at !== null) await setEmail(tx, account.id, change.old_email, now)
      await deleteChangesSince(tx, account.id, change.requested_at)
      await deleteSignInMethodsSince(tx, account.id, change.requested_at)
      for (const { endSince } of programs) await endSince(tx, { userId: account.id, since: change.requested_at }, now)
      await endMailTokens(tx, 'reset-password', account)
      await deleteSessionsOf(tx, account.id)
      await ctx.jobs.enqueue('accounts.mail-reset-link', { email: change.old_email }, { tx })
      await auditOwn(ctx, tx, account.id, 'email.change_undone')
    }),
  )
  await signalSessionsEnded(ctx, found.user_id)
}
