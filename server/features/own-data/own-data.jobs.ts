import type { Brand } from '#contracts/brand.ts'
import { exportDays, graceDays } from '#contracts/limits.ts'
import { dayMs } from '#contracts/time.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Context } from '#server/kernel/context.ts'
import type { JobHandlers, JobSchedule } from '#server/kernel/jobs.ts'
import { composeMail, type Mail } from '#server/kernel/mail.ts'
import type { EraseStep } from '#server/kernel/own-data.ts'
import { dueAccounts, eraseAccount, stopCharges } from './erase-account.ts'
import { runExport, sweepExports } from './exports.ts'

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    'own-data.make-export': { exportId: string }
    /** Emails a person about their export or account deletion, if it still applies. */
    'own-data.mail': { userId: string; about: OwnDataNews }
    /** Deletes old exports, sends deletion reminders, cancels the remaining purchases, and deletes accounts that are due. */
    'own-data.sweep': Record<string, never>
  }
}

type OwnDataJob = 'own-data.make-export' | 'own-data.mail' | 'own-data.sweep'

const reminderMs = 2 * dayMs

export function ownDataJobs(ctx: Context, steps: readonly EraseStep[]): Pick<JobHandlers, OwnDataJob> {
  return {
    'own-data.make-export': ({ exportId }) => runExport(ctx, exportId),
    async 'own-data.mail'({ userId, about }) {
      const person = await ctx.db.selectFrom('users').select(['email', 'leaves_at']).where('id', '=', userId).executeTakeFirst()
      if (!person) return
      const isOver = about === 'deletion-canceled' ? person.leaves_at !== null : about !== 'export-ready' && person.leaves_at === null
      if (isOver) return
      const { brand, config } = ctx
      await ctx.mail.send(ownDataMail(about, { brand, publicUrl: config.publicUrl, to: person.email, dueAt: person.leaves_at }))
    },
    async 'own-data.sweep'() {
      await sweepExports(ctx)
      await remind(ctx)
      await cancelLeft(ctx)
      for (const person of await dueAccounts(ctx)) {
        // One failed deletion must not block the others.
        await eraseAccount(ctx, steps, person).catch((error: unknown) => {
          ctx.log.error({ err: error, userId: person.id }, 'an account could not be deleted; retrying')
        })
      }
    },
  }
}

export const ownDataSchedules: readonly JobSchedule[] = [{ name: 'own-data.sweep', cron: '*/20 * * * *', data: {} }]

/** Cancels purchases of accounts pending deletion that weren't canceled right after the request, for example because a provider failed. */
async function cancelLeft(ctx: Context): Promise<void> {
  const rows = await ctx.db
    .selectFrom('users')
    .innerJoin('agreements', 'agreements.payer_id', 'users.id')
    .select(['users.id', 'users.email'])
    .distinct()
    .where('users.leaves_at', 'is not', null)
    .where('agreements.status', 'in', ['pending', 'active', 'past_due'])
    .where('agreements.canceled_at', 'is', null)
    .limit(100)
    .execute()
  for (const person of rows) await stopCharges(ctx, person)
}

/** Sends one reminder, two days ahead, or as soon as possible after an outage. */
async function remind(ctx: Context): Promise<void> {
  const now = ctx.clock.now()
  await inTransaction(ctx.db, async (tx) => {
    const rows = await tx
      .updateTable('account_deletions')
      .set({ reminded_at: now })
      .from('users')
      .whereRef('users.id', '=', 'account_deletions.user_id')
      .where('users.leaves_at', '<=', new Date(now.getTime() + reminderMs))
      .where('account_deletions.reminded_at', 'is', null)
      .returning('account_deletions.user_id')
      .execute()
    for (const { user_id: userId } of rows) await ctx.jobs.enqueue('own-data.mail', { userId, about: 'deletion-soon' }, { tx })
  })
}

type OwnDataNews = 'export-ready' | 'deletion-asked' | 'deletion-soon' | 'deletion-canceled'

type Parts = { brand: Brand; publicUrl: string; to: string; dueAt: Date | null }

const dayOf = (date: Date | null) => date?.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' }) ?? ''

/** Discreet, like all mail about an account. The file is never attached. */
function ownDataMail(about: OwnDataNews, { brand, publicUrl, to, dueAt }: Parts): Mail {
  const mail = (subject: string, paragraphs: string[]) => composeMail(brand, to, subject, paragraphs)
  const settings = `${publicUrl}/settings#data`
  const signIn = `${publicUrl}/auth`
  switch (about) {
    case 'export-ready':
      return mail('your data is ready', [
        `The file with your data is ready. Download it here within ${exportDays} days:`,
        settings,
        'If this wasn’t you, change your password.',
      ])
    case 'deletion-asked':
      return mail('your account will be deleted', [
        `Your account will be deleted on ${dayOf(dueAt)}. Your profile is hidden, and you’re signed out on all devices.`,
        `You can keep it for ${graceDays} days: sign in and choose to keep your account.`,
        signIn,
        'If this wasn’t you, sign in, keep your account and change your password.',
      ])
    case 'deletion-soon':
      return mail('your account will be deleted soon', [
        `Your account will be deleted on ${dayOf(dueAt)}. Until then, you can keep it: sign in and choose to keep your account.`,
        signIn,
      ])
    case 'deletion-canceled':
      return mail('your account won’t be deleted', [
        'You kept your account, and your profile has been restored. Purchases that were canceled stay canceled.',
        'If this wasn’t you, change your password.',
      ])
  }
}
