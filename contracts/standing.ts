import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id } from './ids.ts'
import { ActionReason, ModerationAction, OwnAppeal } from './moderation.ts'
import { page } from './pagination.ts'
import { ReportSubject } from './reports.ts'

/** What moderation means for one person: read by nobody else. */

/** Something that was done to the signed-in person or to what is theirs. */
export const OwnDeed = z.object({
  id: Id,
  action: ModerationAction,
  subject: ReportSubject,
  /** Of what it is about, while it is theirs. */
  title: z.nullable(z.string()),
  /** Where it stands, if it is still theirs to see. */
  path: z.nullable(z.string()),
  reason: ActionReason,
  explanation: z.string(),
  community: z.nullable(z.object({ slug: z.string(), name: z.string() })),
  createdAt: z.iso.datetime(),
  endsAt: z.nullable(z.iso.datetime()),
  undoneAt: z.nullable(z.iso.datetime()),
  /** Neither undone nor over. */
  stands: z.boolean(),
  mayAppeal: z.boolean(),
  appealUntil: z.iso.datetime(),
  appeal: z.nullable(OwnAppeal),
})
export type OwnDeed = z.infer<typeof OwnDeed>

export const OwnStanding = z.object({
  mutedUntil: z.nullable(z.iso.datetime()),
  suspendedUntil: z.nullable(z.iso.datetime()),
  isBanned: z.boolean(),
})
export type OwnStanding = z.infer<typeof OwnStanding>

export const getStanding = endpoint({
  method: 'GET',
  path: '/api/standing',
  summary: 'Whether the signed-in person is muted, suspended or banned',
  tag: 'Moderation',
  access: 'account',
  response: OwnStanding,
})

export const listOwnDeeds = endpoint({
  method: 'GET',
  path: '/api/standing/actions',
  summary: 'What moderators did to the signed-in person or to what is theirs, newest first, with the reasons and the appeals',
  tag: 'Moderation',
  access: 'account',
  paginated: true,
  query: z.object(page),
  response: z.array(OwnDeed),
})

/** Something of the signed-in person's own that a filter holds until a moderator has looked at it. */
export const HeldThing = z.object({
  id: Id,
  subject: ReportSubject,
  title: z.nullable(z.string()),
  path: z.nullable(z.string()),
  /** Why, in sentences for its writer. */
  heldFor: z.array(z.string()),
  since: z.iso.datetime(),
})
export type HeldThing = z.infer<typeof HeldThing>

export const listHeldThings = endpoint({
  method: 'GET',
  path: '/api/standing/held',
  summary: 'What the signed-in person wrote and a filter holds until a moderator has looked at it, newest first',
  tag: 'Moderation',
  access: 'account',
  paginated: true,
  query: z.object(page),
  response: z.array(HeldThing),
})
