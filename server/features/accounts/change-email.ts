import { isUuid } from '../../../contracts/ids.ts'
import { inTransaction, isUniqueViolation } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, invalidField } from '../../kernel/errors.ts'
import { deleteSessionsOf } from './accounts.queries.ts'
import type { Auth } from './auth.ts'
import {
  confirmableMs,
  deleteChangesSince,
  deleteWaysInSince,
  dropWaitingChange,
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
import { endMailTokens } from './mail-tokens.ts'
import { isSecretGood, issueSecret, spendSecret } from './one-use-secrets.ts'
import { requireProof, requireRoleShown } from './proof.ts'
import { auditOwn, tellSessionsEnded } from './sign-in-news.ts'
import { lockAccount } from './ways-in.ts'

/**
 * Asks for another address. Nothing changes before the link in the new mailbox is opened. Whether the new address has an account is looked
 * up by the job that mails it, so that neither the answer nor its time tells. The old address is told, with a link that stops it.
 * @throws AppError second_factor_required, what `requireProof` throws, invalid_input (the address it has), too_many_requests
 */
export async function requestEmailChange(
  ctx: Context,
  auth: Auth,
  actor: Actor,
  { email, password }: { email: string; password: string },
): Promise<void> {
  requireRoleShown(actor)
  const proof = await requireProof(ctx, auth, actor, password)
  if (proof.email === email) throw invalidField('email', 'This is your address already.')
  await limitOwnMail(ctx, email)
  // Nor may one account write to many strangers.
  await limitOwnMail(ctx, actor.id)
  const now = ctx.clock.now()
  await inTransaction(ctx.db, async (tx) => {
    const account = await lockAccount(tx, actor.id)
    await dropWaitingChange(tx, actor.id)
    const changeId = await insertEmailChange(tx, { userId: actor.id, from: account.email, to: email }, now)
    await ctx.jobs.enqueue('accounts.mail-new-address', { changeId }, { tx })
    await ctx.jobs.enqueue('accounts.mail-old-address', { changeId, isDone: false }, { tx })
    await auditOwn(ctx, tx, actor.id, 'email.change_requested')
  })
}

export async function cancelEmailChange(ctx: Context, actor: Actor): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    await lockAccount(tx, actor.id)
    if (await dropWaitingChange(tx, actor.id)) await auditOwn(ctx, tx, actor.id, 'email.change_cancelled')
  })
}

type LinkKind = 'confirm' | 'undo'

/** `email-` keeps them apart from whatever else is kept by an id. */
const identifierOf = (kind: LinkKind, changeId: string) => `email-${kind}:${changeId}`

/** Made when the mail goes out: the token never lies in the queue. */
export async function issueChangeToken(ctx: Pick<Context, 'db' | 'clock'>, kind: LinkKind, changeId: string): Promise<string> {
  const lifetimeMs = kind === 'confirm' ? confirmableMs : confirmableMs + undoableMs
  return `${changeId}.${await issueSecret(ctx.db, identifierOf(kind, changeId), lifetimeMs, ctx.clock.now())}`
}

const partsOf = (token: string) => {
  const [changeId = '', secret = ''] = token.split('.')
  return { changeId, secret }
}

const taken = () =>
  new AppError('email_taken', { message: 'This address belongs to another account by now. Yours keeps the address it has.' })

/** Of two accounts that get one address at once, the unique key lets one through. */
async function unlessTaken(write: Promise<void>): Promise<void> {
  try {
    await write
  } catch (error) {
    throw isUniqueViolation(error, 'users_email_key') ? taken() : error
  }
}

/** Whose change this is. The account's row is locked before the change's, as everywhere. */
async function findChange(ctx: Context, token: string): Promise<EmailChange> {
  const { changeId } = partsOf(token)
  const change = isUuid(changeId) ? await findEmailChange(ctx.db, changeId) : undefined
  if (!change) throw new AppError('invalid_token')
  return change
}

/**
 * The link in the new mailbox: the address is the account's from now on. It may be opened again while it is valid, and changes nothing
 * then. It signs nobody in.
 * @throws AppError invalid_token, email_taken (somebody else was faster)
 */
export async function confirmEmailChange(ctx: Context, token: string): Promise<void> {
  const now = ctx.clock.now()
  const { changeId, secret } = partsOf(token)
  const found = await findChange(ctx, token)
  await unlessTaken(
    inTransaction(ctx.db, async (tx) => {
      const account = await lockAccount(tx, found.user_id)
      const change = await lockEmailChange(tx, changeId)
      if (!change || !(await isSecretGood(tx, identifierOf('confirm', changeId), secret, now))) throw new AppError('invalid_token')
      if (change.confirmed_at !== null) return
      if (change.expires_at <= now || account.email !== change.old_email) throw new AppError('invalid_token')
      if (await isReserved(tx, change.new_email, now, account.id)) throw taken()
      await setEmail(tx, account.id, change.new_email, now)
      await markConfirmed(tx, changeId, now)
      // A link that lies in the old mailbox sets no password any more.
      await endMailTokens(tx, 'reset-password', account)
      await ctx.jobs.enqueue('accounts.mail-old-address', { changeId, isDone: true }, { tx })
      await auditOwn(ctx, tx, account.id, 'email.changed')
    }),
  )
}

/**
 * The link in the old mailbox: it was not the owner who asked. The account has its old address again, whatever came after; every session
 * ends, the password and what was made since to sign in with are taken away, and a link to set a password goes out. A second factor stays:
 * whoever opened the mailbox alone does not get past it.
 * @throws AppError invalid_token, email_taken
 */
export async function undoEmailChange(ctx: Context, token: string): Promise<void> {
  const now = ctx.clock.now()
  const { changeId, secret } = partsOf(token)
  const found = await findChange(ctx, token)
  await unlessTaken(
    inTransaction(ctx.db, async (tx) => {
      const account = await lockAccount(tx, found.user_id)
      const change = await lockEmailChange(tx, changeId)
      const isInTime = change && (change.confirmed_at ?? now).getTime() + undoableMs > now.getTime()
      if (!isInTime || !(await spendSecret(tx, identifierOf('undo', changeId), secret, now))) throw new AppError('invalid_token')
      if (change.confirmed_at !== null) await setEmail(tx, account.id, change.old_email, now)
      await deleteChangesSince(tx, account.id, change.requested_at)
      await deleteWaysInSince(tx, account.id, change.requested_at)
      await endMailTokens(tx, 'reset-password', account)
      await deleteSessionsOf(tx, account.id)
      await ctx.jobs.enqueue('accounts.mail-reset-link', { email: change.old_email }, { tx })
      await auditOwn(ctx, tx, account.id, 'email.change_undone')
    }),
  )
  await tellSessionsEnded(ctx, found.user_id)
}
