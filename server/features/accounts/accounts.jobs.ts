import { dayMs } from '#contracts/time.ts'
import type { Db } from '#server/db/connect.ts'
import type { Context } from '#server/kernel/context.ts'
import type { JobHandlers, JobName, JobSchedule } from '#server/kernel/jobs.ts'
import {
  existingAccountMail,
  type FactorChange,
  newAddressMail,
  oldAddressMail,
  passwordChangedMail,
  reservedAddressMail,
  resetMail,
  type SignInChange,
  secondFactorMail,
  signInMail,
  takenAddressMail,
  unconfirmedAccountMail,
  verificationMail,
} from './accounts.mails.ts'
import { type Account, findAccount, findAccountByEmail, passkeysOf, workingKeyNames } from './accounts.queries.ts'
import type { ProgramAccess } from './auth.ts'
import { issueChangeToken } from './change-email.ts'
import { confirmableMs, findEmailChange, reservedUntil, undoableMs } from './email-changes.queries.ts'
import { issueMailToken } from './one-use-secrets.ts'

/** `returnTo` is null or missing if the request named no page, and missing in jobs queued by earlier releases. */
type MailedLink = { email: string; returnTo?: string | null }

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    'accounts.mail-verification-link': MailedLink
    'accounts.mail-reset-link': MailedLink
    'accounts.mail-existing-account': MailedLink
    /** `removedOthers` is missing from jobs queued by earlier releases. */
    'accounts.mail-password-changed': { userId: string; removedOthers?: boolean }
    'accounts.mail-second-factor': { userId: string; change: FactorChange }
    'accounts.mail-sign-in-change': { userId: string; change: SignInChange }
    /** If the new address already has an account, emails it a notice instead of the link. */
    'accounts.mail-new-address': { changeId: string }
    'accounts.mail-old-address': { changeId: string; isDone: boolean }
    'accounts.purge-expired': Record<string, never>
  }
}

/** Creates link tokens only when the email is sent, so that the queue never stores them. */
export function accountJobs(
  ctx: Pick<Context, 'db' | 'clock' | 'mail' | 'brand' | 'config'>,
  programs: readonly ProgramAccess[],
): Pick<JobHandlers, AccountJob> {
  const partsFor = (to: string) => ({ brand: ctx.brand, publicUrl: ctx.config.publicUrl, to })

  /** Confirming the address alone would keep the password of the person who signed up with it first. */
  const mailPasswordChoice = async (account: Account, returnTo: string | null) => {
    const token = await issueMailToken(ctx.db, 'reset-password', account, ctx.clock.now())
    await ctx.mail.send(unconfirmedAccountMail(partsFor(account.email), token, returnTo))
  }

  /** Without this email, people who sign up with an address that was just given up would wait for a link that never arrives. */
  const mailIfReserved = async (email: string) => {
    const until = await reservedUntil(ctx.db, email, ctx.clock.now())
    if (until) await ctx.mail.send(reservedAddressMail(partsFor(email), until))
  }

  return {
    async 'accounts.mail-verification-link'({ email, returnTo = null }) {
      const account = await findAccountByEmail(ctx.db, email)
      if (!account) return mailIfReserved(email)
      if (account.email_verified) return
      if (account.signed_up_again_at) return mailPasswordChoice(account, returnTo)
      const token = await issueMailToken(ctx.db, 'verify-email', account, ctx.clock.now())
      await ctx.mail.send(verificationMail(partsFor(email), token, returnTo))
    },
    async 'accounts.mail-reset-link'({ email, returnTo = null }) {
      const account = await findAccountByEmail(ctx.db, email)
      // Resetting a demo account's public password would lock out the next visitor.
      if (!account || account.is_demo) return
      const token = await issueMailToken(ctx.db, 'reset-password', account, ctx.clock.now())
      await ctx.mail.send(resetMail(partsFor(email), token, returnTo))
    },
    async 'accounts.mail-existing-account'({ email, returnTo = null }) {
      const account = await findAccountByEmail(ctx.db, email)
      if (!account) return mailIfReserved(email)
      if (account.email_verified) return ctx.mail.send(existingAccountMail(partsFor(email)))
      await mailPasswordChoice(account, returnTo)
    },
    async 'accounts.mail-password-changed'({ userId, removedOthers = false }) {
      const account = await findAccount(ctx.db, userId)
      if (!account) return
      const passkeys = (await passkeysOf(ctx.db, userId)).map(({ name }) => name)
      const now = ctx.clock.now()
      const keys = await workingKeyNames(ctx.db, userId, now)
      const businessKeys = (await Promise.all(programs.map(async (each) => each.workingNames?.(ctx.db, ctx, userId) ?? []))).flat()
      await ctx.mail.send(passwordChangedMail(partsFor(account.email), { passkeys, keys, businessKeys, removedOthers }))
    },
    async 'accounts.mail-second-factor'({ userId, change }) {
      const account = await findAccount(ctx.db, userId)
      if (account) await ctx.mail.send(secondFactorMail(partsFor(account.email), change))
    },
    async 'accounts.mail-sign-in-change'({ userId, change }) {
      const account = await findAccount(ctx.db, userId)
      if (account) await ctx.mail.send(signInMail(partsFor(account.email), change))
    },
    async 'accounts.mail-new-address'({ changeId }) {
      const change = await findEmailChange(ctx.db, changeId)
      if (!change || change.confirmed_at !== null) return
      const to = partsFor(change.new_email)
      const owner = await findAccountByEmail(ctx.db, change.new_email)
      await ctx.mail.send(owner ? takenAddressMail(to) : newAddressMail(to, await issueChangeToken(ctx, 'confirm', changeId)))
    },
    async 'accounts.mail-old-address'({ changeId, isDone }) {
      const change = await findEmailChange(ctx.db, changeId)
      if (!change) return
      const token = await issueChangeToken(ctx, 'undo', changeId)
      await ctx.mail.send(oldAddressMail(partsFor(change.old_email), { token, isDone }))
    },
    'accounts.purge-expired': () => purgeExpired(ctx.db, ctx.clock.now()),
  }
}

type AccountJob = Extract<JobName, `accounts.${string}`>

export const accountSchedules: readonly JobSchedule[] = [{ name: 'accounts.purge-expired', cron: '17 * * * *', data: {} }]

const batch = 5_000

/** Deletes in small batches to keep locks short. */
async function purgeExpired(db: Db, now: Date): Promise<void> {
  const dayAgo = new Date(now.getTime() - dayMs)
  await inBatches(() =>
    db
      .deleteFrom('sessions')
      .where('id', 'in', (eb) => eb.selectFrom('sessions').select('id').where('expires_at', '<=', now).limit(batch))
      .executeTakeFirst(),
  )
  await inBatches(() =>
    db
      .deleteFrom('verifications')
      .where('id', 'in', (eb) => eb.selectFrom('verifications').select('id').where('expires_at', '<=', now).limit(batch))
      .executeTakeFirst(),
  )
  const overSince = new Date(now.getTime() - confirmableMs - undoableMs)
  await inBatches(() =>
    db
      .deleteFrom('email_changes')
      .where('id', 'in', (eb) => eb.selectFrom('email_changes').select('id').where('requested_at', '<=', overSince).limit(batch))
      .executeTakeFirst(),
  )
  await inBatches(() =>
    db
      .deleteFrom('idempotency_keys')
      .where((eb) =>
        eb(
          eb.refTuple('user_id', 'key'),
          'in',
          eb
            .selectFrom('idempotency_keys')
            .select(['user_id', 'key'])
            .where('created_at', '<=', dayAgo)
            .limit(batch)
            .$asTuple('user_id', 'key'),
        ),
      )
      .executeTakeFirst(),
  )
}

async function inBatches(deleteSome: () => Promise<{ numDeletedRows: bigint }>): Promise<void> {
  while ((await deleteSome()).numDeletedRows >= batch);
}
