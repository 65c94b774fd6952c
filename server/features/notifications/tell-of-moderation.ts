import type { Context } from '../../kernel/context.ts'
import { moderationMail } from './moderation.mails.ts'
import { appealOf, moderationOf } from './moderation-news.queries.ts'
import { tellingAlways } from './tell-of-events.ts'

type Ctx = Pick<Context, 'db' | 'live' | 'clock' | 'mail' | 'brand' | 'config'>

/**
 * What moderators did to somebody, or took back: in the app, and by a mail of its own, because whoever is suspended looks at no app.
 * A report that came to nothing is told to nobody.
 */
export async function tellOfModeration(ctx: Ctx, { actionId }: { actionId: string }): Promise<void> {
  const action = await moderationOf(ctx.db, actionId)
  if (!action?.user_id || action.action === 'dismiss') return
  const isUndone = action.undone_at !== null
  await tellingAlways(ctx, 'moderation_notice', [action.user_id], {
    groupKey: `moderation:${actionId}${isUndone ? ':undone' : ''}`,
    actorId: null,
    doneAt: action.undone_at ?? action.created_at,
    isOnce: true,
    moderationActionId: actionId,
  })
  if (action.email !== null) await ctx.mail.send(moderationMail(ctx, action.email, { what: isUndone ? 'undone' : 'acted', actionId }))
}

/** To whoever appealed. */
export async function tellOfAppeal(ctx: Ctx, { appealId }: { appealId: string }): Promise<void> {
  const appeal = await appealOf(ctx.db, appealId)
  if (!appeal?.decided_at) return
  await tellingAlways(ctx, 'appeal_decided', [appeal.user_id], {
    groupKey: `appeal:${appealId}`,
    actorId: null,
    doneAt: appeal.decided_at,
    isOnce: true,
    moderationActionId: appeal.action_id,
  })
  if (appeal.email !== null) await ctx.mail.send(moderationMail(ctx, appeal.email, { what: 'appeal', actionId: appeal.action_id }))
}
