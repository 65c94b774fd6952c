import { inTransaction } from '../../db/transaction.ts'
import { composeMail } from '../../kernel/compose-mail.ts'
import type { Context } from '../../kernel/context.ts'
import { AccountUnusable, ProviderRefused, ProviderUnavailable } from '../../kernel/payments.ts'
import { type AccountRow, findAccount, isNeeded, keysOf, messageAddress } from './payment-accounts.queries.ts'

declare module '../../kernel/jobs.ts' {
  interface JobData {
    /** Sees whether each business's own account still opens, each in a job of its own. */
    'billing.check-accounts': Record<string, never>
    'billing.check-account': { accountId: string }
    /** Mails the owner that their account does not open any more, once for a row of failures. */
    'billing.tell-of-account': { accountId: string; since: string }
  }
}

type Ctx = Pick<Context, 'db' | 'clock' | 'jobs' | 'log' | 'config' | 'payments'>
type Failure = NonNullable<AccountRow['failure']>

const day = 86_400_000
/** As long as a provider may still tell of an approval: see reconcile.ts. */
const approvalDays = 7

export async function checkAccounts(ctx: Ctx): Promise<void> {
  const rows = await ctx.db.selectFrom('business_payment_accounts').select('id').where('sealed_secret', 'is not', null).execute()
  for (const { id } of rows) await ctx.jobs.enqueue('billing.check-account', { accountId: id })
}

/**
 * Tries an account's keys, and that its messages come here. A key that does not open it any more takes no new purchases, and its
 * owner is told; an answer that does not come changes nothing. The key of an account that was taken away is erased when nothing that
 * was bought through it needs it.
 */
export async function checkAccount(ctx: Ctx, accountId: string): Promise<void> {
  const account = await findAccount(ctx.db, accountId)
  if (!account || account.sealed_secret === null || account.webhook_id === null) return
  const keys = keysOf(ctx.config, account)
  if (account.retired_at !== null && !(await isNeeded(ctx.db, account.id, new Date(ctx.clock.now().getTime() - approvalDays * day)))) {
    if (keys) await ctx.payments.closeAccount(keys, account.webhook_id).catch(ignoreSilence(ctx, account.id))
    await erase(ctx, account.id)
    return
  }
  if (!keys) return write(ctx, account, 'unreadable')
  try {
    const { webhookId } = await ctx.payments.openAccount(keys, messageAddress(ctx.config, account.id))
    await write(ctx, account, null, webhookId)
  } catch (error) {
    if (error instanceof ProviderRefused) return write(ctx, account, 'refused')
    if (error instanceof ProviderUnavailable) return write(ctx, account, 'silent')
    // Its purchases are still asked about every night.
    if (!(error instanceof AccountUnusable)) throw error
    ctx.log.warn({ accountId, err: error }, 'the webhook of a business’s payment account cannot be made')
    await write(ctx, account, null)
  }
}

const ignoreSilence = (ctx: Pick<Ctx, 'log'>, accountId: string) => (error: unknown) => {
  if (!(error instanceof ProviderUnavailable)) throw error
  ctx.log.warn({ accountId }, 'the webhook of a business’s payment account could not be removed')
}

/** Unless it was connected again meanwhile, or is needed after all. */
async function erase(ctx: Ctx, accountId: string): Promise<void> {
  await ctx.db
    .updateTable('business_payment_accounts')
    .set({ sealed_secret: null, failure: null, failing_since: null })
    .where('id', '=', accountId)
    .where('retired_at', 'is not', null)
    .execute()
}

async function write(ctx: Ctx, account: AccountRow, failure: Failure | null, webhookId?: string): Promise<void> {
  const now = ctx.clock.now()
  await inTransaction(ctx.db, async (tx) => {
    const row = await tx
      .selectFrom('business_payment_accounts')
      .select(['failing_since', 'told_at'])
      .where('id', '=', account.id)
      // Connected anew in the meantime: what was tried is not what is there.
      .where('sealed_secret', '=', account.sealed_secret)
      .forUpdate()
      .executeTakeFirst()
    if (!row) return
    const since = failure === null ? null : (row.failing_since ?? now)
    await tx
      .updateTable('business_payment_accounts')
      .set({
        failure,
        failing_since: since,
        checked_at: now,
        ...(failure === null ? { told_at: null } : {}),
        ...(webhookId ? { webhook_id: webhookId } : {}),
      })
      .where('id', '=', account.id)
      .execute()
    // Silence is PayPal's to end; the others are the owner's.
    const isOwners = failure === 'refused' || failure === 'unreadable'
    if (!isOwners || since === null || row.told_at !== null) return
    await ctx.jobs.enqueue('billing.tell-of-account', { accountId: account.id, since: since.toISOString() }, { tx })
  })
}

/** Written down after the mail was handed over: a crash in between sends it twice rather than never. */
export async function tellOfAccount(
  ctx: Pick<Context, 'db' | 'clock' | 'mail' | 'config' | 'brand'>,
  data: { accountId: string; since: string },
): Promise<void> {
  const failing = () =>
    ctx.db
      .selectFrom('business_payment_accounts')
      .where('business_payment_accounts.id', '=', data.accountId)
      .where('failing_since', '=', new Date(data.since))
      .where('told_at', 'is', null)
  const owners = await failing()
    .innerJoin('business_members', 'business_members.business_id', 'business_payment_accounts.business_id')
    .innerJoin('users', 'users.id', 'business_members.user_id')
    .select('users.email')
    .where('business_members.role', '=', 'owner')
    .where('users.is_demo', '=', false)
    .execute()
  const { billingName, publicUrl } = ctx.config
  for (const { email } of owners) {
    // Nothing of what is sold, nor to whom: it shows on locked phones and in shared mailboxes.
    const mail = composeMail({ name: billingName, supportEmail: ctx.brand.supportEmail }, email, 'your payment account needs a look', [
      'The PayPal account that you connected cannot be opened any more with its keys.',
      'What is paid already stays as it is. New payments cannot begin until you connect it again:',
      `${publicUrl}/business-dashboard?tab=subscriptions`,
    ])
    await ctx.mail.send(mail)
  }
  await ctx.db
    .updateTable('business_payment_accounts')
    .set({ told_at: ctx.clock.now() })
    .where('id', '=', data.accountId)
    .where('failing_since', '=', new Date(data.since))
    .execute()
}
