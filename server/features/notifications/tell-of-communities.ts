import type { Context } from '../../kernel/context.ts'
import { acceptedAnswerOf, invitationOf, moderatorsOf, requestOf } from './community-news.queries.ts'
import { telling } from './tell-of-events.ts'

type Ctx = Pick<Context, 'db' | 'jobs' | 'live' | 'clock'>

/** To those who look after the community. */
export async function tellOfRequest(ctx: Ctx, { communityId, userId }: { communityId: string; userId: string }): Promise<void> {
  await telling(ctx, async (tx, tellAll) => {
    const request = await requestOf(tx, communityId, userId)
    if (!request) return
    await tellAll('community_request', await moderatorsOf(tx, communityId), {
      doer: userId,
      groupKey: `community_request:${communityId}`,
      doneAt: request.created_at,
      isOnce: false,
      communityId,
    })
  })
}

/** To whom was let in; who of its moderators did it is theirs to know. */
export async function tellOfJoin(ctx: Ctx, { communityId, userId }: { communityId: string; userId: string }): Promise<void> {
  await telling(ctx, async (_tx, tellAll) => {
    await tellAll('community_joined', [userId], {
      doer: null,
      groupKey: `community_joined:${communityId}`,
      doneAt: ctx.clock.now(),
      isOnce: true,
      communityId,
    })
  })
}

export async function tellOfInvitation(ctx: Ctx, { invitationId }: { invitationId: string }): Promise<void> {
  await telling(ctx, async (tx, tellAll) => {
    const invitation = await invitationOf(tx, invitationId)
    if (!invitation?.invited_id) return
    await tellAll('community_invitation', [invitation.invited_id], {
      doer: invitation.invited_by,
      groupKey: `community_invitation:${invitationId}`,
      doneAt: invitation.created_at,
      isOnce: true,
      communityId: invitation.community_id,
    })
  })
}

/** To whose answer it is. */
export async function tellOfAcceptedAnswer(ctx: Ctx, { postId }: { postId: string }): Promise<void> {
  await telling(ctx, async (tx, tellAll) => {
    const answer = await acceptedAnswerOf(tx, postId)
    if (!answer) return
    await tellAll('answer_accepted', [answer.answered_by], {
      doer: answer.asked_by,
      groupKey: `answer_accepted:${answer.comment_id}`,
      doneAt: answer.created_at,
      isOnce: true,
      postId,
      commentId: answer.comment_id,
    })
  })
}
