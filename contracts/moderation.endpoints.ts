import { endpoint } from './endpoint.ts'
import { Id, IdParams, line, numeric, page } from './fields.ts'
import {
  ActionReason,
  ActsFor,
  CaseCommunity,
  CaseDecision,
  ModerationAction,
  ModerationAppeal,
  ModerationCase,
  ModerationCaseDetail,
  ModerationDecision,
  ModerationLoad,
  OwnAppeal,
  OwnReport,
  ReportReason,
  ReportSubject,
} from './moderation.ts'
import * as z from './zod.ts'

const flag = z.pipe(
  z.transform((value: unknown) => (value === 'true' ? true : value === 'false' ? false : value)),
  z.boolean('Must be true or false'),
)

const scope = z._default(z.union([z.literal('site'), Id]), 'site')

export const listCases = endpoint({
  method: 'GET',
  path: '/api/moderation/cases',
  summary: 'List cases: open ones by due date, then oldest first; or decided ones, newest first',
  tag: 'Moderation',
  access: 'member',
  paginated: true,
  query: z.object({
    ...page,
    scope,
    status: z._default(z.enum(['open', 'decided']), 'open'),
    kind: z.optional(z.enum(['reports', 'held'])),
    /** Only cases that are assigned to the viewer or that the viewer decided. */
    mine: z._default(flag, false),
  }),
  response: z.array(ModerationCase),
})

export const getCase = endpoint({
  method: 'GET',
  path: '/api/moderation/cases/:id',
  summary: 'Read a case with its subject, reports and history. Reading a message is recorded in the audit log.',
  tag: 'Moderation',
  access: 'member',
  params: IdParams,
  query: z.object({ actsFor: z.optional(ActsFor) }),
  response: ModerationCaseDetail,
})

export const assignCase = endpoint({
  method: 'POST',
  path: '/api/moderation/cases/:id/assign',
  summary: 'Claim or release a case. If another moderator has claimed it, claiming takes it over.',
  tag: 'Moderation',
  access: 'member',
  params: IdParams,
  body: z.object({ isMine: z.boolean() }),
  response: ModerationCase,
})

export const decideCase = endpoint({
  method: 'POST',
  path: '/api/moderation/cases/:id/decide',
  summary:
    'Decide a case. Returns 409 if another moderator decided it first, with that decision, or if the content was edited since `version`.',
  tag: 'Moderation',
  access: 'member',
  words: 'office',
  idempotent: true,
  params: IdParams,
  body: CaseDecision,
  response: z.object({ id: Id, decisions: z.array(ModerationDecision) }),
})

export const undoModerationDecision = endpoint({
  method: 'POST',
  path: '/api/moderation/actions/:id/undo',
  summary: 'Undo an action and restore what it changed, unless that has changed since',
  tag: 'Moderation',
  access: 'member',
  words: 'office',
  params: IdParams,
  body: z.object({ reason: line(1000, 'Enter a reason') }),
  response: ModerationDecision,
})

export const getLoad = endpoint({
  method: 'GET',
  path: '/api/moderation/load',
  summary: 'Read the number of open cases, how old they are and who claimed them',
  tag: 'Moderation',
  access: 'member',
  query: z.object({ scope }),
  response: ModerationLoad,
})

export const appeal = endpoint({
  method: 'POST',
  path: '/api/moderation/actions/:id/appeal',
  summary: 'Appeal an action within 180 days. Each action can be appealed once, and a different moderator decides.',
  tag: 'Moderation',
  access: 'account',
  words: 'moderation',
  params: IdParams,
  body: z.object({ content: line(2000, 'Explain why we should look at it again') }),
  response: OwnAppeal,
  status: 201,
})

export const listAppeals = endpoint({
  method: 'GET',
  path: '/api/moderation/appeals',
  summary: 'List appeals: open ones, oldest first, or decided ones, newest first',
  tag: 'Moderation',
  access: 'moderator',
  paginated: true,
  query: z.object({ ...page, status: z._default(z.enum(['open', 'decided']), 'open') }),
  response: z.array(ModerationAppeal),
})

export const decideAppeal = endpoint({
  method: 'POST',
  path: '/api/moderation/appeals/:id/decide',
  summary: "Decide an appeal against another moderator's action. Overturning the action undoes it.",
  tag: 'Moderation',
  access: 'moderator',
  words: 'office',
  params: IdParams,
  body: z.object({ outcome: z.enum(['upheld', 'overturned']), answer: line(2000, 'Explain your decision to the person') }),
  response: ModerationAppeal,
})

export const report = endpoint({
  method: 'POST',
  path: '/api/reports',
  summary: 'Report something to the moderators. Reporting it again replaces your report or, a week after a decision, files a new one.',
  tag: 'Safety',
  access: 'member',
  words: 'moderation',
  body: z.object({ subject: ReportSubject, subjectId: Id, reason: ReportReason, details: z._default(line(1000), '') }),
})

export const listOwnReports = endpoint({
  method: 'GET',
  path: '/api/reports',
  summary: 'List your reports, newest first, and whether action was taken',
  tag: 'Safety',
  access: 'member',
  whileSuspended: true,
  paginated: true,
  query: z.object(page),
  response: z.array(OwnReport),
})

export const LoggedDecision = z.object({
  at: z.iso.datetime(),
  action: ModerationAction,
  subject: ReportSubject,
  reason: ActionReason,
  /** Null if the action is permanent or has no duration. */
  days: z.nullable(z.int()),
  outcome: z.enum(['stands', 'undone', 'overturned']),
  /** False for actions by a community's moderators. */
  isForSite: z.boolean(),
  /** Null unless the community is public. */
  community: z.nullable(z.object({ slug: z.string(), name: z.string() })),
})
export type LoggedDecision = z.infer<typeof LoggedDecision>

export const ModerationCounts = z.object({
  days: z.int(),
  reports: z.int(),
  reportsByReason: z.array(z.object({ reason: ReportReason, count: z.int() })),
  held: z.int(),
  actions: z.array(z.object({ action: ModerationAction, count: z.int() })),
  appeals: z.int(),
  overturned: z.int(),
  medianHours: z.nullable(z.number()),
})
export type ModerationCounts = z.infer<typeof ModerationCounts>

export const listModerationLog = endpoint({
  method: 'GET',
  path: '/api/moderation-log',
  summary: 'List moderation actions, newest first, without names',
  tag: 'Moderation',
  access: 'public',
  paginated: true,
  query: z.object(page),
  response: z.array(LoggedDecision),
})

export const getModerationCounts = endpoint({
  method: 'GET',
  path: '/api/moderation-log/counts',
  summary: 'Count reports, held items, actions and appeals',
  tag: 'Moderation',
  access: 'public',
  query: z.object({ days: z._default(numeric(z.int().check(z.minimum(7), z.maximum(365))), 90) }),
  response: ModerationCounts,
})

/** Visible only to the affected person. */
export const OwnDecision = z.object({
  id: Id,
  action: ModerationAction,
  subject: ReportSubject,
  /** Null if the subject is no longer the person's. */
  title: z.nullable(z.string()),
  /** The first words of a comment, because its `title` is that of the post or hunt. Empty for everything else. */
  excerpt: z.string(),
  path: z.nullable(z.string()),
  reason: ActionReason,
  explanation: z.string(),
  community: z.nullable(CaseCommunity),
  createdAt: z.iso.datetime(),
  endsAt: z.nullable(z.iso.datetime()),
  undoneAt: z.nullable(z.iso.datetime()),
  /** False once the action has been undone or has expired, or its community has been deleted. */
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

export const HeldContent = z.object({
  id: Id,
  subject: ReportSubject,
  title: z.nullable(z.string()),
  path: z.nullable(z.string()),
  /** Sentences that tell the author why the content was held. */
  heldFor: z.array(z.string()),
  since: z.iso.datetime(),
})
export type HeldContent = z.infer<typeof HeldContent>

export const getAccountStatus = endpoint({
  method: 'GET',
  path: '/api/standing',
  summary: "Read whether you're muted, suspended or banned",
  tag: 'Moderation',
  access: 'account',
  response: AccountStatus,
})

export const listOwnDecisions = endpoint({
  method: 'GET',
  path: '/api/standing/actions',
  summary: 'List moderation actions about you or your content, newest first, with reasons and appeals',
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
    /** In hours, over the last 30 days. Null if there were too few decisions. */
    medianHours: z.nullable(z.number()),
  }),
})

export const listHeldContent = endpoint({
  method: 'GET',
  path: '/api/standing/held',
  summary: 'List your posts and other content held for review, newest first',
  tag: 'Moderation',
  access: 'account',
  paginated: true,
  query: z.object(page),
  response: z.array(HeldContent),
})
