import type { Brand } from '#contracts/brand.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import type { JobHandlers, JobName, JobSchedule } from '#server/kernel/jobs.ts'
import { composeMail, type Mail } from '#server/kernel/mail.ts'
import { dueDrafts, updateDraft } from './drafts.queries.ts'
import { publishDue } from './publish-draft.ts'

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    'drafts.publish-due': Record<string, never>
    'drafts.tell-of-refusal': { draftId: string }
  }
}

type DraftJob = Extract<JobName, `drafts.${string}`>
type Ctx = Pick<Context, 'db' | 'clock' | 'events' | 'jobs' | 'mail' | 'brand' | 'config' | 'log'>

export function draftJobs(ctx: Ctx): Pick<JobHandlers, DraftJob> {
  return {
    'drafts.publish-due': () => publishAllDue(ctx),
    'drafts.tell-of-refusal': ({ draftId }) => mailRefusal(ctx, draftId),
  }
}

/** A post may be a minute late, or as late as an outage lasts. It is never published early or twice. */
export const draftSchedules: readonly JobSchedule[] = [{ name: 'drafts.publish-due', cron: '* * * * *', data: {} }]

const batch = 50

async function publishAllDue(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now()
  let after: Parameters<typeof dueDrafts>[2] = null
  for (;;) {
    const due = await dueDrafts(ctx.db, now, after, batch)
    for (const { id } of due) await publishOrRefuse(ctx, id)
    const last = due.at(-1)
    if (!last?.publish_at || due.length < batch) return
    after = { publishAt: last.publish_at, id: last.id }
  }
}

/** A faulty draft doesn't block the others. Our own failures are retried in a minute. */
async function publishOrRefuse(ctx: Ctx, draftId: string): Promise<void> {
  try {
    await publishDue(ctx, draftId)
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return refuse(ctx, draftId, error)
    ctx.log.error({ err: error, draftId }, 'a scheduled post was not published')
  }
}

async function refuse(ctx: Ctx, draftId: string, { message, fields = {} }: AppError): Promise<void> {
  const now = ctx.clock.now()
  await inTransaction(ctx.db, async (tx) => {
    const draft = await tx
      .selectFrom('post_drafts')
      .select('id')
      .where('id', '=', draftId)
      // It may have been rescheduled in the meantime.
      .where('status', '=', 'scheduled')
      .where('publish_at', '<=', now)
      .forUpdate()
      .executeTakeFirst()
    if (!draft) return
    const words = [...new Set([...Object.values(fields), ...(Object.keys(fields).length === 0 ? [message] : [])])].join(' · ')
    await updateDraft(tx, draftId, { status: 'failed', error: words, updated_at: now })
    await ctx.jobs.enqueue('drafts.tell-of-refusal', { draftId }, { tx })
  })
}

async function mailRefusal(ctx: Ctx, draftId: string): Promise<void> {
  const author = await ctx.db
    .selectFrom('post_drafts')
    .innerJoin('users', 'users.id', 'post_drafts.author_id')
    .leftJoin('businesses', 'businesses.id', 'post_drafts.business_id')
    .select(['users.email', 'users.email_verified', 'post_drafts.error', 'businesses.slug'])
    .where('post_drafts.id', '=', draftId)
    .where('post_drafts.status', '=', 'failed')
    .where('users.is_demo', '=', false)
    .executeTakeFirst()
  if (!author?.error) return
  if (!author.email_verified && ctx.config.emailVerification === 'required') return
  const { brand } = ctx
  const { publicUrl } = ctx.config
  const address = author.slug === null ? '/create-post' : `/business-dashboard?tab=social&business=${author.slug}`
  await ctx.mail.send(refusedPostMail({ brand, to: author.email, reason: author.error, link: publicUrl + address }))
}

/** Discreet, like all our email: names neither the business nor any part of the post. */
function refusedPostMail({ brand, to, reason, link }: { brand: Brand; to: string; reason: string; link: string }): Mail {
  return composeMail(brand, to, 'something you scheduled was not published', [
    'This scheduled post was not published:',
    reason,
    `We kept it as a draft. Change it or schedule it again here:\n${link}`,
  ])
}
