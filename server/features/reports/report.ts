import type { Parsed } from '../../../contracts/endpoint.ts'
import type { report as contract, ReportSubject } from '../../../contracts/reports.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { openReportCase } from '../moderation/index.ts'
import { viewerOf } from '../posts/index.ts'
import { findSubject } from './reports.queries.ts'

const ownSentences: Record<ReportSubject, string> = {
  post: 'This post is your own. You can delete it.',
  comment: 'This comment is your own. You can delete it.',
  review: 'This review is your own. You can delete it.',
  person: 'You cannot report yourself.',
  hunt: 'This hunt is your own. You can delete it.',
  hunt_comment: 'This comment is your own. You can delete it.',
  community: 'This community is your own.',
  message: 'You wrote this message yourself.',
  event: 'Your business published this event. You can cancel it.',
  business: 'You run this business, so you cannot report it.',
}

/** Tells the moderators of something that the reporter sees and that is not their own. @throws AppError not_found, forbidden */
export async function report(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  given: Parsed<(typeof contract)['body']>,
): Promise<undefined> {
  const now = clock.now()
  const found = await findSubject(db, viewerOf(actor, now), given.subject, given.subjectId, now)
  if (!found) throw notFound('This is not here any more, or not visible to you.')
  if (found.is_own) throw new AppError('forbidden', { message: ownSentences[given.subject] })
  const { user_id: userId, community_id: communityId } = found
  await inTransaction(db, (tx) => openReportCase(tx, { ...given, reporterId: actor.id, userId, communityId, now }))
}
