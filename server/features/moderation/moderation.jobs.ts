import { sql } from 'kysely'
import { hourMs } from '#contracts/time.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Context } from '#server/kernel/context.ts'
import type { JobHandlers, JobName, JobSchedule } from '#server/kernel/jobs.ts'
import { composeMail } from '#server/kernel/mail.ts'
import { hideContent, showContent } from './effects.ts'
import type { ModerationParts } from './subjects.ts'

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    'moderation.hide-content': { actionId: string }
    'moderation.show-content': { actionId: string }
    'moderation.remind': Record<string, never>
    /** Emails one moderator the number of due cases, with no details. */
    'moderation.mail-due': { userId: string; due: number; overdue: number }
  }
}

type ModerationJob = Extract<JobName, `moderation.${string}`>

export function moderationJobs(ctx: Context, { subjects }: Pick<ModerationParts, 'subjects'>): Pick<JobHandlers, ModerationJob> {
  return {
    'moderation.hide-content': ({ actionId }) => hideContent(ctx, subjects, actionId),
    'moderation.show-content': ({ actionId }) => showContent(ctx, subjects, actionId),
    'moderation.remind': () => remind(ctx),
    'moderation.mail-due': (data) => mailDue(ctx, data),
  }
}

export const moderationSchedules: readonly JobSchedule[] = [{ name: 'moderation.remind', cron: '*/15 * * * *', data: {} }]

const reminderHours = 12

/** Reminds up to twice per case: when it is due soon and when it is overdue. */
async function remind({ db, clock, jobs }: Pick<Context, 'db' | 'clock' | 'jobs'>): Promise<void> {
  const now = clock.now()
  await inTransaction(db, async (tx) => {
    const cases = await tx
      .updateTable('moderation_cases')
      .set({ reminded_at: now })
      .where('status', '=', 'open')
      .where('due_at', '<=', new Date(now.getTime() + reminderHours * hourMs))
      .where(sql<boolean>`(reminded_at is null or (due_at < ${now} and reminded_at < due_at))`)
      .returning('due_at')
      .execute()
    if (cases.length === 0) return
    const overdue = cases.filter(({ due_at }) => (due_at as Date) < now).length
    for (const { id } of await moderators(tx)) {
      await jobs.enqueue('moderation.mail-due', { userId: id, due: cases.length - overdue, overdue }, { tx })
    }
  })
}

const moderators = (db: Context['db']) =>
  db
    .selectFrom('users')
    .select('id')
    .where('role', 'in', ['moderator', 'admin'])
    .where('email_verified', '=', true)
    .where('banned_at', 'is', null)
    .orderBy('id')
    .execute()

async function mailDue(
  { db, mail, brand, config }: Pick<Context, 'db' | 'mail' | 'brand' | 'config'>,
  { userId, due, overdue }: { userId: string; due: number; overdue: number },
): Promise<void> {
  const person = await db.selectFrom('users').select(['email', 'role']).where('id', '=', userId).executeTakeFirst()
  if (!person || person.role === 'member') return
  const lines = [
    ...(overdue > 0 ? [`${cases(overdue)} should have been decided by now.`] : []),
    ...(due > 0 ? [`${cases(due)} must be decided within ${reminderHours} hours.`] : []),
  ]
  await mail.send(composeMail(brand, person.email, 'cases are waiting for your decision', [lines.join(' '), `${config.publicUrl}/admin`]))
}

const cases = (count: number): string => (count === 1 ? 'One case' : `${count} cases`)
