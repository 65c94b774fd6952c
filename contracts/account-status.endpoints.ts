import { endpoint } from './endpoint.ts'
import { Id, page } from './fields.ts'
import { ActionReason, ModerationAction, OwnAppeal, ReportSubject } from './moderation.ts'
import * as z from './zod.ts'

/** Moderation as the affected person sees it. No one else does. */

/** An action on the signed-in person or their content. */
export const OwnDecision = z.object({
  id: Id,
  action: ModerationAction,
  subject: ReportSubject,
  /** The subject's title, while it is theirs. */
  title: z.nullable(z.string()),
  path: z.nullable(z.string()),
  reason: ActionReason,
  explanation: z.string(),
  community: z.nullable(z.object({ slug: z.string(), name: z.string() })),
  createdAt: z.iso.datetime(),
  endsAt: z.nullable(z.iso.datetime()),
  undoneAt: z.nullable(z.iso.datetime()),
  /** In force: neither undone nor expired. */
  stands: z.boolean(),
  mayAppeal: z.boolean(),
  appealUntil: z.iso.datetime(),
  appeal: z.nullable(OwnAppeal),
})
export type OwnDecision = z.infer<typeof OwnDecision>

export const AccountStatus = z.object({
  mutedUntil: z.nullable(z.iso.datetime()),
  suspendedUntil: z.nullable(z.iso.datetime()),
  isBanned: z.boolean(),
})
export type AccountStatus = z.infer<typeof AccountStatus>

/** Content of the signed-in person held by a filter for review. */
export const HeldContent = z.object({
  id: Id,
  subject: ReportSubject,
  title: z.nullable(z.string()),
  path: z.nullable(z.string()),
  /** Reasons, as sentences for the author. */
  heldFor: z.array(z.string()),
  since: z.iso.datetime(),
})
export type HeldContent = z.infer<typeof HeldContent>

export const getAccountStatus = endpoint({
  method: 'GET',
  path: '/api/standing',
  summary: 'Read whether you are muted, suspended or banned',
  tag: 'Moderation',
  access: 'account',
  response: AccountStatus,
})

export const listOwnDecisions = endpoint({
  method: 'GET',
  path: '/api/standing/actions',
  summary: 'List what moderators did to you or your content, newest first, with reasons and appeals',
  tag: 'Moderation',
  access: 'account',
  paginated: true,
  query: z.object(page),
  response: z.array(OwnDecision),
})

export const getReviewTime = endpoint({
  method: 'GET',
  path: '/api/standing/review-time',
  summary: 'Read how long moderators usually take to review held content',
  tag: 'Moderation',
  access: 'account',
  response: z.object({
    /** The median of the last 30 days, in hours; null after too few decisions to tell. */
    medianHours: z.nullable(z.number()),
  }),
})

export const listHeldContent = endpoint({
  method: 'GET',
  path: '/api/standing/held',
  summary: 'List what you wrote that is held for review, newest first',
  tag: 'Moderation',
  access: 'account',
  paginated: true,
  query: z.object(page),
  response: z.array(HeldContent),
})
