import type { Parsed, ResponseOf } from '#contracts/endpoint.ts'
import { supportAnswerDays } from '#contracts/limits.ts'
import { publicDisplayName } from '#contracts/people.rules.ts'
import { sendSupportRequest } from '#contracts/support.endpoints.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { hasPrioritySupport } from '#server/features/billing/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { type IdempotencyKey, once } from '#server/kernel/idempotency.ts'
import type { JobHandlers } from '#server/kernel/jobs.ts'
import { composeMail, oneLine } from '#server/kernel/mail.ts'
import { type Api, route } from '#server/kernel/route.ts'

export function registerSupport(api: Api): void {
  route(api, sendSupportRequest, ({ ctx, actor, body, idempotency }) => sendRequest(ctx, actor, body, idempotency))
}

export const supportJobs = (ctx: Context): Pick<JobHandlers, 'support.mail'> => ({
  'support.mail': (data) => mailRequest(ctx, data),
})

type SupportRequest = { userId: string; subject: string; message: string; isPriority: boolean }

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    'support.mail': SupportRequest
  }
}

/** The server decides the priority, so that requesters can't. */
const sendRequest = (
  { db, clock, jobs }: Pick<Context, 'db' | 'clock' | 'jobs'>,
  actor: Actor,
  body: Parsed<(typeof sendSupportRequest)['body']>,
  idempotency: IdempotencyKey | null,
): Promise<ResponseOf<typeof sendSupportRequest>> =>
  inTransaction(db, (tx) =>
    once(tx, actor.id, idempotency, clock.now(), async () => {
      const { is_demo } = await tx.selectFrom('users').select('is_demo').where('id', '=', actor.id).executeTakeFirstOrThrow()
      if (is_demo) throw new AppError('forbidden', { message: 'Demo accounts can’t receive a reply. Create your own account.' })
      const isPriority = await hasPrioritySupport(tx, actor.id, clock.now())
      await jobs.enqueue('support.mail', { userId: actor.id, ...body, isPriority }, { tx })
      return { isPriority, answerDays: isPriority ? supportAnswerDays.priority : supportAnswerDays.usual }
    }),
  )

/** Reply-To is the requester. The mark in the subject and the importance header are for sorting. */
async function mailRequest(
  { db, mail, brand }: Pick<Context, 'db' | 'mail' | 'brand'>,
  { userId, subject, message, isPriority }: SupportRequest,
): Promise<void> {
  const user = await db
    .selectFrom('users')
    .select(['id', 'email', 'email_verified', 'display_name', 'first_name', 'last_name'])
    .where('id', '=', userId)
    .executeTakeFirst()
  if (!user) return
  const name = publicDisplayName({ displayName: user.display_name, firstName: user.first_name, lastName: user.last_name })
  const { name: brandName, supportEmail } = brand
  const about = `${isPriority ? '[Priority] ' : ''}${oneLine(subject)}`
  await mail.send({
    ...composeMail({ name: brandName, supportEmail }, supportEmail, about, [
      message,
      `From ${oneLine(name)}, account ${user.id}, ${user.email}${user.email_verified ? '' : ' (not confirmed)'}. Reply within ${
        isPriority ? `${supportAnswerDays.priority} business day` : `${supportAnswerDays.usual} business days`
      }.`,
    ]),
    headers: { 'Reply-To': user.email, ...(isPriority && { Importance: 'high', 'X-Priority': '1' }) },
  })
}
