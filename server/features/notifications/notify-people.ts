import type { Tx } from '#server/db/connect.ts'
import { permissionFor } from '#server/features/corrections/index.ts'
import type { Context } from '#server/kernel/context.ts'
import type { JobHandlers } from '#server/kernel/jobs.ts'
import { composeMail } from '#server/kernel/mail.ts'
import {
  acceptedAnswerOf,
  appealOf,
  connectionOf,
  correctionOf,
  failedDraftOf,
  heldContentOf,
  invitationOf,
  licenseOf,
  mailboxOf,
  membershipOf,
  membersOf,
  membersWhoCan,
  moderationOf,
  moderatorsOf,
  requestOf,
  sentMessage,
} from './news.queries.ts'
import { accountStatusPath } from './notification-types.ts'
import { notifyAbout, notifyAlways } from './notify-activity.ts'

type Ctx = Pick<Context, 'db' | 'jobs' | 'live' | 'clock'>

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    'notifications.notify-of-community-request': { communityId: string; userId: string }
    'notifications.notify-of-community-join': { communityId: string; userId: string }
    'notifications.notify-of-community-invitation': { invitationId: string }
    /** Jobs of an earlier version don't state who accepted the answer. */
    'notifications.notify-of-accepted-answer': { postId: string; acceptedBy?: string }
    'notifications.notify-of-message': { messageId: string }
    'notifications.notify-of-held-content': { caseId: string }
    'notifications.notify-of-moderation': { actionId: string }
    'notifications.notify-of-appeal': { appealId: string }
    'notifications.mail-decision': DecisionMail
    'notifications.notify-of-correction': { correctionId: string }
    'notifications.notify-of-settled-correction': { correctionId: string }
    'notifications.notify-of-connection': { connectionId: string; what: 'webhook_stopped' | 'menu_fetch_failed' | 'menu_fetch_stopped' }
    'notifications.notify-of-failed-draft': { draftId: string }
    'notifications.notify-of-license': { verificationId: string; change: 'verified' | 'rejected' | 'expiring' | 'ended' | 'unproven' }
  }
}

export const peopleJobs = (ctx: Ctx & Pick<Context, 'mail' | 'brand' | 'config'>) =>
  ({
    'notifications.notify-of-community-request': (data) => notifyOfRequest(ctx, data),
    'notifications.notify-of-community-join': (data) => notifyOfJoin(ctx, data),
    'notifications.notify-of-community-invitation': (data) => notifyOfInvitation(ctx, data),
    'notifications.notify-of-accepted-answer': (data) => notifyOfAcceptedAnswer(ctx, data),
    'notifications.notify-of-message': (data) => notifyOfMessage(ctx, data),
    'notifications.notify-of-held-content': (data) => notifyOfHeldContent(ctx, data),
    'notifications.notify-of-moderation': (data) => notifyOfModeration(ctx, data),
    'notifications.notify-of-appeal': (data) => notifyOfAppeal(ctx, data),
    'notifications.mail-decision': (data) => mailDecision(ctx, data),
    'notifications.notify-of-connection': (data) => notifyOfConnection(ctx, data),
    'notifications.notify-of-failed-draft': (data) => notifyOfFailedDraft(ctx, data),
    'notifications.notify-of-license': (data) => notifyOfLicense(ctx, data),
    'notifications.notify-of-correction': (data) => notifyOfCorrection(ctx, data),
    'notifications.notify-of-settled-correction': (data) => notifyOfSettledCorrection(ctx, data),
  }) satisfies Partial<JobHandlers>

async function notifyOfRequest(ctx: Ctx, { communityId, userId }: { communityId: string; userId: string }): Promise<void> {
  await notifyAbout(ctx, async (tx, notifyAll) => {
    const request = await requestOf(tx, communityId, userId)
    if (!request) return
    await notifyAll('community_request', await moderatorsOf(tx, communityId), {
      doer: userId,
      groupKey: `community_request:${communityId}`,
      doneAt: request.created_at,
      isOnce: false,
      communityId,
    })
  })
}

/** Doesn't name the moderator who approved the request. */
async function notifyOfJoin(ctx: Ctx, { communityId, userId }: { communityId: string; userId: string }): Promise<void> {
  await notifyAbout(ctx, async (tx, notifyAll) => {
    const membership = await membershipOf(tx, communityId, userId)
    if (!membership) return
    await notifyAll('community_joined', [userId], {
      doer: null,
      // The person may have left and been let in again.
      groupKey: `community_joined:${communityId}:${membership.joined_at.getTime()}`,
      doneAt: membership.joined_at,
      isOnce: true,
      communityId,
    })
  })
}

async function notifyOfInvitation(ctx: Ctx, { invitationId }: { invitationId: string }): Promise<void> {
  await notifyAbout(ctx, async (tx, notifyAll) => {
    const invitation = await invitationOf(tx, invitationId)
    if (!invitation?.invited_id) return
    await notifyAll('community_invitation', [invitation.invited_id], {
      doer: invitation.invited_by,
      groupKey: `community_invitation:${invitationId}`,
      doneAt: invitation.created_at,
      isOnce: true,
      communityId: invitation.community_id,
    })
  })
}

/** `acceptedBy` is the author of the question or a moderator. */
async function notifyOfAcceptedAnswer(ctx: Ctx, { postId, acceptedBy }: { postId: string; acceptedBy?: string }): Promise<void> {
  await notifyAbout(ctx, async (tx, notifyAll) => {
    const answer = await acceptedAnswerOf(tx, postId)
    if (!answer) return
    await notifyAll('answer_accepted', [answer.answered_by], {
      doer: acceptedBy ?? answer.asked_by,
      groupKey: `answer_accepted:${answer.comment_id}`,
      doneAt: answer.accepted_at,
      isOnce: true,
      postId,
      commentId: answer.comment_id,
    })
  })
}

type Change = { verificationId: string; change: 'verified' | 'rejected' | 'expiring' | 'ended' | 'unproven' }

/** Notifies the owner and managers. The notification has no actor and can't be turned off. Emails are sent elsewhere. */
async function notifyOfLicense(ctx: Pick<Context, 'db' | 'live' | 'clock'>, { verificationId, change }: Change): Promise<void> {
  const license = await licenseOf(ctx.db, verificationId)
  if (!license) return
  await notifyAlways(ctx, `license_${change}`, await membersWhoCan(ctx.db, license.business_id, 'license'), {
    // One notification per warning. A renewal moves the date, and the warnings start again.
    groupKey: `license:${change}:${verificationId}${change === 'expiring' ? `:${license.expires_on}:${license.warned_days}` : ''}`,
    actorId: null,
    doneAt: license.updated_at,
    isOnce: true,
    businessId: license.business_id,
    verificationId,
  })
}

type ConnectionChange = { connectionId: string; what: 'webhook_stopped' | 'menu_fetch_failed' | 'menu_fetch_stopped' }

/** Notifies the owner and managers of a stopped webhook, or of a failing or stopped menu address: once each per series of failures. */
async function notifyOfConnection(ctx: Pick<Context, 'db' | 'live' | 'clock'>, { connectionId, what }: ConnectionChange): Promise<void> {
  const connection = await connectionOf(ctx.db, connectionId, what === 'webhook_stopped' ? 'webhooks' : 'menu_sources')
  if (!connection?.failing_since) return
  await notifyAlways(ctx, what, await membersWhoCan(ctx.db, connection.business_id, 'connections'), {
    groupKey: `${what}:${connectionId}:${connection.failing_since.toISOString()}`,
    actorId: null,
    doneAt: connection.stopped_at ?? connection.failing_since,
    isOnce: true,
    businessId: connection.business_id,
    ...(what === 'webhook_stopped' ? { webhookId: connectionId } : { menuSourceId: connectionId }),
    reason: new URL(connection.url).host,
  })
}

/** Notifies everyone who can post for the business, or the author of a personal post. */
async function notifyOfFailedDraft(ctx: Ctx, { draftId }: { draftId: string }): Promise<void> {
  await notifyAbout(ctx, async (tx, notifyAll) => {
    const draft = await failedDraftOf(tx, draftId)
    if (!draft) return
    const { business_id: businessId, author_id: authorId } = draft
    await notifyAll('draft_failed', businessId === null ? [authorId] : await membersWhoCan(tx, businessId, 'posts'), {
      doer: null,
      groupKey: `draft_failed:${draftId}:${draft.publish_at?.toISOString()}`,
      doneAt: draft.updated_at,
      isOnce: true,
      businessId,
      draftId,
      reason: draft.error,
    })
  })
}

type AboutCorrection = { correctionId: string }

/** Notifies the team members who can decide about the correction. */
async function notifyOfCorrection(ctx: Pick<Context, 'db' | 'live' | 'clock'>, { correctionId }: AboutCorrection): Promise<void> {
  const correction = await correctionOf(ctx.db, correctionId)
  if (correction?.state !== 'open') return
  await notifyAlways(ctx, 'correction_suggested', await membersWhoCan(ctx.db, correction.business_id, permissionFor(correction.kind)), {
    groupKey: `correction:${correctionId}`,
    actorId: null,
    doneAt: correction.created_at,
    isOnce: true,
    businessId: correction.business_id,
    correctionId,
  })
}

/** Notifies a correction's author that it was applied or rejected, unless they decided it themselves. */
async function notifyOfSettledCorrection(ctx: Pick<Context, 'db' | 'live' | 'clock'>, { correctionId }: AboutCorrection): Promise<void> {
  const correction = await correctionOf(ctx.db, correctionId)
  if (!correction?.settled_at || correction.settled_by === correction.user_id) return
  await notifyAlways(ctx, 'correction_settled', [correction.user_id], {
    groupKey: `correction:${correctionId}:settled`,
    actorId: null,
    doneAt: correction.settled_at,
    isOnce: true,
    businessId: correction.business_id,
    correctionId,
  })
}

/**
 * Names the sender, never the text. Messages use all chosen channels, but a stranger's first one notifies only in the app. Notifies even of
 * messages that were read, muted or cleared: the feature that owns them leaves them out whenever notifications are loaded.
 */
async function notifyOfMessage(ctx: Ctx, { messageId }: { messageId: string }): Promise<void> {
  const message = await sentMessage(ctx.db, messageId)
  if (!message?.sender_id) return
  const { conversation_id: conversationId, business_id: businessId, is_from_business: isByBusiness, sender_id: senderId } = message
  const news = { doneAt: message.created_at, conversationId, ...(isByBusiness ? { businessId } : {}) }
  if (message.is_request) {
    if (message.receiver_id === null) return
    await notifyAlways(ctx, 'message_request', [message.receiver_id], {
      ...news,
      actorId: senderId,
      groupKey: `message_request:${conversationId}`,
      isOnce: true,
    })
    return
  }
  await notifyAbout(ctx, async (tx, notifyAll) => {
    const receivers = message.receiver_id === null ? (businessId === null ? [] : await membersOf(tx, businessId)) : [message.receiver_id]
    await notifyAll('message', receivers, { ...news, doer: senderId, isByBusiness, groupKey: `message:${conversationId}`, isOnce: false })
  })
}

/** Notifies the author once per item, even if later edits are held again. */
async function notifyOfHeldContent(ctx: Ctx, { caseId }: { caseId: string }): Promise<void> {
  await notifyAbout(ctx, async (tx, notifyAll) => {
    const held = await heldContentOf(tx, caseId)
    if (!held?.user_id) return
    await notifyAll('content_held', [held.user_id], {
      doer: null,
      groupKey: `content_held:${held.subject}:${held.subject_id}`,
      doneAt: held.opened_at,
      isOnce: true,
      reason: held.says,
    })
  })
}

/**
 * Notifies a person of a moderation action or its reversal, in the app and by a separate email, because suspended people can't use the app.
 * Doesn't notify anyone of dismissed reports.
 */
async function notifyOfModeration(ctx: Ctx, { actionId }: { actionId: string }): Promise<void> {
  const action = await moderationOf(ctx.db, actionId)
  if (!action?.user_id || action.action === 'dismiss') return
  const isUndone = action.undone_at !== null
  const news = {
    groupKey: `moderation:${actionId}${isUndone ? ':undone' : ''}`,
    actorId: null,
    doneAt: action.undone_at ?? action.created_at,
    isOnce: true,
    moderationActionId: actionId,
  }
  await notifyAlways(ctx, 'moderation_notice', [action.user_id], news, queueMails(ctx, { what: newsOf(action, isUndone), actionId }))
}

async function notifyOfAppeal(ctx: Ctx, { appealId }: { appealId: string }): Promise<void> {
  const appeal = await appealOf(ctx.db, appealId)
  if (!appeal?.decided_at) return
  const news = {
    groupKey: `appeal:${appealId}`,
    actorId: null,
    doneAt: appeal.decided_at,
    isOnce: true,
    moderationActionId: appeal.action_id,
  }
  await notifyAlways(ctx, 'appeal_decided', [appeal.user_id], news, queueMails(ctx, { what: 'appeal', actionId: appeal.action_id }))
}

function newsOf({ action }: { action: string }, isUndone: boolean): keyof typeof texts {
  if (isUndone) return 'undone'
  if (action === 'approve') return 'approved'
  return action === 'hide' || action === 'remove' ? 'content' : 'account'
}

const texts = {
  approved: ['something you posted was approved', 'A moderator reviewed something you posted and approved it. Others can see it now.'],
  content: ['a decision about something you posted', 'The moderators made a decision about something you posted. You can appeal it.'],
  account: ['a decision about your account', 'The moderators made a decision about your account. You can appeal it.'],
  undone: ['a decision was reversed', 'The moderators reversed a decision about something you posted or about your account.'],
  appeal: ['your appeal was decided', 'A different moderator reviewed your appeal and decided it.'],
} as const

type DecisionMail = { userId: string; what: keyof typeof texts; actionId: string }

/** One job per person, so that the notification in the app doesn't wait for the mail server. */
const queueMails =
  ({ jobs }: Pick<Context, 'jobs'>, news: Omit<DecisionMail, 'userId'>) =>
  async (tx: Tx, userIds: readonly string[]): Promise<void> => {
    for (const userId of userIds) await jobs.enqueue('notifications.mail-decision', { ...news, userId }, { tx })
  }

/** States only that there is something to read and where. The content or account concerned must not be named outside the site. */
async function mailDecision(
  { db, mail, brand, config }: Pick<Context, 'db' | 'mail' | 'brand' | 'config'>,
  { userId, what, actionId }: DecisionMail,
): Promise<void> {
  const to = await mailboxOf(db, userId)
  if (to === undefined) return
  const [subject, sentence] = texts[what]
  const link = `${config.publicUrl}${accountStatusPath(actionId)}`
  const lines = [sentence, what === 'approved' ? `See it: ${link}` : `See what was decided and why: ${link}`]
  await mail.send(composeMail(brand, to, subject, lines))
}
