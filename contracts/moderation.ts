import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id, IdParams } from './ids.ts'
import { Media } from './media.ts'
import { page } from './pagination.ts'
import { Person } from './people.ts'
import { ReportReason, ReportSubject, reportReasons } from './reports.ts'
import { line } from './text.ts'

/** A report of an image that shows somebody against their will is decided within so many hours. */
export const hoursToDecide = 48
/** So long an action can be appealed. */
export const appealDays = 180
export const mostDays = 365

/**
 * - `approve`: shown, or shown again
 * - `dismiss`: reported without cause; nothing changes
 * - `hide`: for its writer and moderators alone
 * - `remove`: for moderators alone
 * - `warn`, `mute`, `suspend`, `ban`: concern the person. In a community, mute and ban are of the community.
 */
export const moderationActions = ['approve', 'dismiss', 'hide', 'remove', 'warn', 'mute', 'suspend', 'ban'] as const
export const ModerationAction = z.enum(moderationActions)
export type ModerationAction = z.infer<typeof ModerationAction>

/** What the moderators of a community may do; the rest is for the site's. */
export const communityActions = ['approve', 'dismiss', 'hide', 'remove', 'warn', 'mute', 'ban'] as const satisfies ModerationAction[]

/** Decisions that whoever they concern is told the reasons of. */
export const explainedActions: readonly ModerationAction[] = ['hide', 'remove', 'warn', 'mute', 'suspend', 'ban']

export const ModerationState = z.enum(['held', 'hidden', 'removed'])

/** Why something was done: what can be reported, a community's rules, or nothing that speaks against it. */
export const decisionReasons = [...reportReasons, 'community_rules'] as const
export const DecisionReason = z.enum(decisionReasons)
export type DecisionReason = z.infer<typeof DecisionReason>
export const ActionReason = z.enum([...decisionReasons, 'no_violation'])
export type ActionReason = z.infer<typeof ActionReason>

const Somebody = z.object({ id: Id, name: z.string() })
const CaseCommunity = z.object({ id: Id, slug: z.string(), name: z.string() })

/** A rule that held what somebody wrote; never the words. */
export const HeldFinding = z.object({
  rule: z.string(),
  says: z.nullable(z.string()),
  /** What else to look at, in the app: the listing that a business may duplicate. */
  path: z.optional(z.string()),
})
export type HeldFinding = z.infer<typeof HeldFinding>

export const ModerationCase = z.object({
  id: Id,
  subject: ReportSubject,
  subjectId: Id,
  /** Null, as the excerpt is empty, for a message: it is read in its case alone, and each look is noted. */
  title: z.nullable(z.string()),
  excerpt: z.string(),
  /** Where it stands in the app. */
  path: z.nullable(z.string()),
  /** Whose it is. */
  person: z.nullable(Person),
  community: z.nullable(CaseCommunity),
  /** The community's moderators do not see it. */
  isForSite: z.boolean(),
  /** `check`: a rule flagged it, and it stays visible meanwhile. */
  source: z.enum(['report', 'filter', 'check']),
  findings: z.array(HeldFinding),
  /** The gravest of its reports. */
  reason: z.nullable(ReportReason),
  reportsCount: z.int(),
  /** How it is shown now; null: to everybody. */
  state: z.nullable(ModerationState),
  /** False: it was deleted, or is gone with its account. */
  isThere: z.boolean(),
  status: z.enum(['open', 'decided']),
  openedAt: z.iso.datetime(),
  dueAt: z.nullable(z.iso.datetime()),
  isOverdue: z.boolean(),
  assignedTo: z.nullable(Somebody),
  isMine: z.boolean(),
  decidedAt: z.nullable(z.iso.datetime()),
})
export type ModerationCase = z.infer<typeof ModerationCase>

/** What was done, for moderators. Those of a community see their own community's. */
export const ModerationDeed = z.object({
  id: Id,
  caseId: z.nullable(Id),
  action: ModerationAction,
  subject: ReportSubject,
  reason: ActionReason,
  /** What the person was told, and what moderators tell each other. */
  explanation: z.string(),
  note: z.string(),
  /** Of the community alone. */
  community: z.nullable(CaseCommunity),
  moderator: z.nullable(Somebody),
  createdAt: z.iso.datetime(),
  /** Of a mute, a suspension or a ban; null: without an end. */
  endsAt: z.nullable(z.iso.datetime()),
  undoneAt: z.nullable(z.iso.datetime()),
  undoneBy: z.nullable(Somebody),
  appeal: z.nullable(z.enum(['open', 'upheld', 'overturned'])),
  mayUndo: z.boolean(),
})
export type ModerationDeed = z.infer<typeof ModerationDeed>

export const ModerationCaseDetail = z.extend(ModerationCase, {
  text: z.string(),
  media: z.array(Media),
  /** What stands around it, oldest first. */
  context: z.array(z.object({ author: z.nullable(z.string()), text: z.string(), createdAt: z.iso.datetime(), isSubject: z.boolean() })),
  /** The newest 50. Who reported is for the site's moderators alone. */
  reports: z.array(
    z.object({ id: Id, reason: ReportReason, details: z.string(), createdAt: z.iso.datetime(), reporter: z.nullable(Somebody) }),
  ),
  /** What was done in this case, oldest first. */
  deeds: z.array(ModerationDeed),
  history: z.nullable(
    z.object({
      joinedAt: z.iso.datetime(),
      trust: z.enum(['new', 'known', 'trusted']),
      /** Of the site; a community's moderators are not told. */
      standing: z.nullable(
        z.object({ mutedUntil: z.nullable(z.iso.datetime()), suspendedUntil: z.nullable(z.iso.datetime()), isBanned: z.boolean() }),
      ),
      /** Decided cases about what is theirs, and how many of them led to something. */
      casesCount: z.int(),
      actedCount: z.int(),
      /** The newest 20. */
      deeds: z.array(ModerationDeed),
    }),
  ),
  /** In whose name the viewer decides: a mute or a ban is the site's or the community's. */
  actsFor: z.enum(['site', 'community']),
  /** What the viewer may decide; empty with the sentence that says why. */
  mayDo: z.array(ModerationAction),
  refusal: z.nullable(z.string()),
})
export type ModerationCaseDetail = z.infer<typeof ModerationCaseDetail>

const flag = z.pipe(
  z.transform((value: unknown) => (value === 'true' ? true : value === 'false' ? false : value)),
  z.boolean('Must be true or false'),
)

/** `site`, or the id of a community. */
const scope = z._default(z.union([z.literal('site'), Id]), 'site')

export const listCases = endpoint({
  method: 'GET',
  path: '/api/moderation/cases',
  summary: 'What waits for a decision: the due ones first, then the oldest; or what was decided, newest first',
  tag: 'Moderation',
  access: 'member',
  paginated: true,
  query: z.object({
    ...page,
    scope,
    status: z._default(z.enum(['open', 'decided']), 'open'),
    kind: z.optional(z.enum(['reports', 'held'])),
    /** Those that the viewer has taken, or has decided. */
    mine: z._default(flag, false),
  }),
  response: z.array(ModerationCase),
})

export const getCase = endpoint({
  method: 'GET',
  path: '/api/moderation/cases/:id',
  summary: 'A case with what it is about, its reports and the history; a look at a message is noted in the audit log',
  tag: 'Moderation',
  access: 'member',
  params: IdParams,
  response: ModerationCaseDetail,
})

export const assignCase = endpoint({
  method: 'POST',
  path: '/api/moderation/cases/:id/assign',
  summary: 'Take a case, or give it back; one that another has taken is taken over',
  tag: 'Moderation',
  access: 'member',
  params: IdParams,
  body: z.object({ isMine: z.boolean() }),
  response: ModerationCase,
})

const days = z.int('Choose how many days').check(z.minimum(1, 'At least one day'), z.maximum(mostDays, `At most ${mostDays} days`))

export const CaseDecision = z
  .object({
    /** One, or what is done to the thing and what to the person. */
    actions: z
      .array(
        z.object({
          action: ModerationAction,
          /** How long a mute or a suspension lasts; a ban from a community may have an end, one from the site has none. */
          days: z.optional(days),
          /** With a ban from the site: hides what they wrote, until it is undone. */
          hideContent: z.optional(z.boolean()),
        }),
      )
      .check(z.minLength(1, 'Choose what to do'), z.maxLength(2, 'One for the thing and one for the person')),
    /** Left out where nothing speaks against it. */
    reason: z._default(z.nullable(DecisionReason), null),
    /** What the person is told. */
    explanation: z._default(line(2000), ''),
    /** For moderators. */
    note: z._default(line(2000), ''),
  })
  .check(
    z.refine(({ actions }) => fitTogether(actions.map(({ action }) => action)), {
      error: 'These do not go together: one for the thing, one for the person, or none of both.',
      path: ['actions'],
    }),
    z.refine(({ actions }) => actions.every(({ action, days: given }) => hasItsDays(action, given)), {
      error: 'Choose how many days.',
      path: ['actions'],
    }),
    z.refine(({ actions, reason }) => reason !== null || !actions.some(({ action }) => explainedActions.includes(action)), {
      error: 'Choose a reason',
      path: ['reason'],
    }),
    z.refine(({ actions, explanation }) => explanation !== '' || !actions.some(({ action }) => explainedActions.includes(action)), {
      error: 'Say why, in words for the person',
      path: ['explanation'],
    }),
  )
export type CaseDecision = z.infer<typeof CaseDecision>

/** `approve` and `dismiss` stand alone; else one of what is done to things, and one of what is done to people. */
function fitTogether(actions: readonly ModerationAction[]): boolean {
  if (actions.length < 2) return true
  const things = actions.filter((action) => action === 'hide' || action === 'remove')
  const sanctions = actions.filter((action) => ['warn', 'mute', 'suspend', 'ban'].includes(action))
  return things.length === 1 && sanctions.length === 1
}

function hasItsDays(action: ModerationAction, given: number | undefined): boolean {
  if (action === 'mute' || action === 'suspend') return given !== undefined
  return action === 'ban' || given === undefined
}

export const decideCase = endpoint({
  method: 'POST',
  path: '/api/moderation/cases/:id/decide',
  summary: 'Decide a case; whoever comes second is told what was decided (409)',
  tag: 'Moderation',
  access: 'member',
  words: 'office',
  idempotent: true,
  params: IdParams,
  body: CaseDecision,
  response: z.object({ id: Id, deeds: z.array(ModerationDeed) }),
})

export const undoDeed = endpoint({
  method: 'POST',
  path: '/api/moderation/actions/:id/undo',
  summary: 'Take an action back: what it changed is as before, unless it was changed since',
  tag: 'Moderation',
  access: 'member',
  words: 'office',
  params: IdParams,
  body: z.object({ reason: line(1000, 'Say why') }),
  response: ModerationDeed,
})

export const ModerationLoad = z.object({
  open: z.int(),
  held: z.int(),
  overdue: z.int(),
  oldestAt: z.nullable(z.iso.datetime()),
  /** From opening to decision, over the last 30 days. */
  medianHours: z.nullable(z.number()),
  moderators: z.array(z.object({ id: Id, name: z.string(), assigned: z.int(), decided: z.int() })),
})
export type ModerationLoad = z.infer<typeof ModerationLoad>

export const getLoad = endpoint({
  method: 'GET',
  path: '/api/moderation/load',
  summary: 'How much waits, since when, and who has how much of it',
  tag: 'Moderation',
  access: 'member',
  query: z.object({ scope }),
  response: ModerationLoad,
})

/** An appeal, for whom the action concerns. Nobody who decided is named. */
export const OwnAppeal = z.object({
  id: Id,
  content: z.string(),
  createdAt: z.iso.datetime(),
  decidedAt: z.nullable(z.iso.datetime()),
  outcome: z.nullable(z.enum(['upheld', 'overturned'])),
  answer: z.string(),
})
export type OwnAppeal = z.infer<typeof OwnAppeal>

export const appeal = endpoint({
  method: 'POST',
  path: '/api/moderation/actions/:id/appeal',
  summary: 'Appeal against an action, once, within 180 days; another moderator decides',
  tag: 'Moderation',
  access: 'account',
  words: 'moderation',
  params: IdParams,
  body: z.object({ content: line(2000, 'Say why it should be looked at again') }),
  response: OwnAppeal,
  status: 201,
})

export const ModerationAppeal = z.object({
  id: Id,
  deed: ModerationDeed,
  person: z.nullable(Person),
  content: z.string(),
  createdAt: z.iso.datetime(),
  decidedAt: z.nullable(z.iso.datetime()),
  decidedBy: z.nullable(Somebody),
  outcome: z.nullable(z.enum(['upheld', 'overturned'])),
  answer: z.string(),
  /** False for whoever acted, and for whom it concerns. */
  mayDecide: z.boolean(),
})
export type ModerationAppeal = z.infer<typeof ModerationAppeal>

export const listAppeals = endpoint({
  method: 'GET',
  path: '/api/moderation/appeals',
  summary: 'Appeals that wait, the oldest first, or those that were decided, newest first',
  tag: 'Moderation',
  access: 'moderator',
  paginated: true,
  query: z.object({ ...page, status: z._default(z.enum(['open', 'decided']), 'open') }),
  response: z.array(ModerationAppeal),
})

export const decideAppeal = endpoint({
  method: 'POST',
  path: '/api/moderation/appeals/:id/decide',
  summary: 'Decide an appeal against what another moderator did; overturned, it is undone',
  tag: 'Moderation',
  access: 'moderator',
  words: 'office',
  params: IdParams,
  body: z.object({ outcome: z.enum(['upheld', 'overturned']), answer: line(2000, 'Say why, in words for the person') }),
  response: ModerationAppeal,
})
