import { Id, line, Version } from './fields.ts'
import { Media } from './media.ts'
import { decisionReasons, explainedActions, moderationActions, reportReasons } from './moderation.rules.ts'
import { Person } from './people.ts'
import * as z from './zod.ts'

export const ReportReason = z.enum(reportReasons)

export const reportSubjects = [
  'post',
  'comment',
  'review',
  'person',
  'business',
  'hunt',
  'hunt_comment',
  'community',
  'message',
  'event',
  'gallery_item',
  'product',
] as const
export const ReportSubject = z.enum(reportSubjects)
export type ReportSubject = z.infer<typeof ReportSubject>

/** Shows the reporter whether moderators reviewed the report and took action, but not which action or against whom. */
export const OwnReport = z.object({
  id: Id,
  subject: ReportSubject,
  reason: ReportReason,
  createdAt: z.iso.datetime(),
  decidedAt: z.nullable(z.iso.datetime()),
  outcome: z.enum(['waiting', 'action_taken', 'no_action']),
})
export type OwnReport = z.infer<typeof OwnReport>

/** For reports of intimate images shared without consent. */
export const hoursToDecide = 48
export const appealDays = 180
export const maxDays = 365

export const ModerationAction = z.enum(moderationActions)
export type ModerationAction = z.infer<typeof ModerationAction>

export const communityActions = ['approve', 'dismiss', 'hide', 'remove', 'warn', 'mute', 'ban'] as const satisfies ModerationAction[]

export const ModerationState = z.enum(['held', 'hidden', 'removed'])

export const DecisionReason = z.enum(decisionReasons)
export type DecisionReason = z.infer<typeof DecisionReason>
export const ActionReason = z.enum([...decisionReasons, 'no_violation'])
export type ActionReason = z.infer<typeof ActionReason>

const PersonName = z.object({ id: Id, name: z.string() })
/** For a deleted community, `slug` is null and `name` is "a deleted community". */
export const CaseCommunity = z.object({ id: Id, slug: z.nullable(z.string()), name: z.string() })

/** Names the rule that held content, but not the matching text. */
export const HeldFinding = z.object({
  rule: z.string(),
  says: z.nullable(z.string()),
  /** A related page, such as the listing that a business may duplicate. */
  path: z.optional(z.string()),
})
export type HeldFinding = z.infer<typeof HeldFinding>

export const ModerationCase = z.object({
  id: Id,
  subject: ReportSubject,
  subjectId: Id,
  /** Null for messages, whose excerpt is also empty. A message can be read only in its case, and each view is recorded. */
  title: z.nullable(z.string()),
  excerpt: z.string(),
  path: z.nullable(z.string()),
  person: z.nullable(Person),
  community: z.nullable(CaseCommunity),
  /** Community moderators can't see the case. */
  isForSite: z.boolean(),
  /** `check`: flagged by a rule but still visible. */
  source: z.enum(['report', 'filter', 'check']),
  findings: z.array(HeldFinding),
  /** The most serious reason among the reports. */
  reason: z.nullable(ReportReason),
  reportsCount: z.int(),
  /** Null if visible to everyone. */
  state: z.nullable(ModerationState),
  /** False if the subject was deleted, alone or with its account. */
  isThere: z.boolean(),
  status: z.enum(['open', 'decided']),
  openedAt: z.iso.datetime(),
  dueAt: z.nullable(z.iso.datetime()),
  isOverdue: z.boolean(),
  assignedTo: z.nullable(PersonName),
  isMine: z.boolean(),
  decidedAt: z.nullable(z.iso.datetime()),
})
export type ModerationCase = z.infer<typeof ModerationCase>

/** Community moderators see only actions in their community. */
export const ModerationDecision = z.object({
  id: Id,
  caseId: z.nullable(Id),
  action: ModerationAction,
  subject: ReportSubject,
  reason: ActionReason,
  /** Shown to the person and to moderators. */
  explanation: z.string(),
  note: z.string(),
  community: z.nullable(CaseCommunity),
  moderator: z.nullable(PersonName),
  createdAt: z.iso.datetime(),
  /** Null if the action is permanent or has no duration. */
  endsAt: z.nullable(z.iso.datetime()),
  undoneAt: z.nullable(z.iso.datetime()),
  undoneBy: z.nullable(PersonName),
  appeal: z.nullable(z.enum(['open', 'upheld', 'overturned'])),
  mayUndo: z.boolean(),
})
export type ModerationDecision = z.infer<typeof ModerationDecision>

/**
 * Whether a mute or ban applies to the whole site or only to the case's community. If omitted, people who moderate both act for the
 * community.
 */
export const ActsFor = z.enum(['site', 'community'])
export type ActsFor = z.infer<typeof ActsFor>

export const ModerationCaseDetail = z.extend(ModerationCase, {
  text: z.string(),
  media: z.array(Media),
  /** Changes with the title, text and media. Send it with a decision; an outdated version is rejected (409). */
  version: z.string(),
  /** The surrounding content, oldest first. */
  context: z.array(z.object({ author: z.nullable(z.string()), text: z.string(), createdAt: z.iso.datetime(), isSubject: z.boolean() })),
  /** The newest 50. Only site moderators see the reporters. */
  reports: z.array(
    z.object({ id: Id, reason: ReportReason, details: z.string(), createdAt: z.iso.datetime(), reporter: z.nullable(PersonName) }),
  ),
  decisions: z.array(ModerationDecision),
  history: z.nullable(
    z.object({
      joinedAt: z.iso.datetime(),
      trust: z.enum(['new', 'known', 'trusted']),
      /** Only for site moderators. */
      accountStatus: z.nullable(
        z.object({ mutedUntil: z.nullable(z.iso.datetime()), suspendedUntil: z.nullable(z.iso.datetime()), isBanned: z.boolean() }),
      ),
      /** Other decided cases about the person, and how many led to an action that wasn't undone. */
      casesCount: z.int(),
      actedCount: z.int(),
      /** The newest 20. */
      decisions: z.array(ModerationDecision),
    }),
  ),
  actsFor: ActsFor,
  /** Actions that the viewer can take. If empty, `refusal` says why. */
  mayDo: z.array(ModerationAction),
  refusal: z.nullable(z.string()),
})
export type ModerationCaseDetail = z.infer<typeof ModerationCaseDetail>

const days = z.int('Choose the number of days').check(z.minimum(1, 'At least one day'), z.maximum(maxDays, `At most ${maxDays} days`))

export const CaseDecision = z
  .object({
    /** One action, or one on the content and one on the person. */
    actions: z
      .array(
        z.object({
          action: ModerationAction,
          /** For a mute or suspension. Community bans may have a duration; site bans are permanent. */
          days: z.optional(days),
          /** If the action is a site ban, hides the person's content until the ban is undone. */
          hideContent: z.optional(z.boolean()),
        }),
      )
      .check(z.minLength(1, 'Choose an action'), z.maxLength(2, 'Choose at most two actions: one for the content and one for the person')),
    /** Required for every action except `approve` and `dismiss`. */
    reason: z._default(z.nullable(DecisionReason), null),
    explanation: z._default(line(2000), ''),
    note: z._default(line(2000), ''),
    actsFor: z.optional(ActsFor),
    /** The case's `version` as the moderator read it. If omitted, the decision also applies to edits made since. */
    version: z.optional(Version),
  })
  .check(
    z.refine(({ actions }) => canCombine(actions.map(({ action }) => action)), {
      error: 'These actions don’t go together. Choose one for the content, one for the person or one of each.',
      path: ['actions'],
    }),
    z.refine(({ actions }) => actions.every(({ action, days: given }) => hasValidDuration(action, given)), {
      error: 'Choose the number of days',
      path: ['actions'],
    }),
    z.refine(({ actions, reason }) => reason !== null || !actions.some(({ action }) => explainedActions.includes(action)), {
      error: 'Choose a reason',
      path: ['reason'],
    }),
    z.refine(({ actions, explanation }) => explanation !== '' || !actions.some(({ action }) => explainedActions.includes(action)), {
      error: 'Explain your decision to the person',
      path: ['explanation'],
    }),
  )
export type CaseDecision = z.infer<typeof CaseDecision>

/** `approve` and `dismiss` can't be combined with anything. Others allow one action on content and one on people. */
function canCombine(actions: readonly ModerationAction[]): boolean {
  if (actions.length < 2) return true
  const contentActions = actions.filter((action) => action === 'hide' || action === 'remove')
  const sanctions = actions.filter((action) => ['warn', 'mute', 'suspend', 'ban'].includes(action))
  return contentActions.length === 1 && sanctions.length === 1
}

function hasValidDuration(action: ModerationAction, dayCount: number | undefined): boolean {
  if (action === 'mute' || action === 'suspend') return dayCount !== undefined
  return action === 'ban' || dayCount === undefined
}

export const ModerationLoad = z.object({
  open: z.int(),
  /** Reported or flagged by a check. Held content that is also reported counts in both. */
  reported: z.int(),
  held: z.int(),
  overdue: z.int(),
  oldestAt: z.nullable(z.iso.datetime()),
  /** In hours from opening to decision, over the last 30 days. */
  medianHours: z.nullable(z.number()),
  moderators: z.array(z.object({ id: Id, name: z.string(), assigned: z.int(), decided: z.int() })),
})
export type ModerationLoad = z.infer<typeof ModerationLoad>

export const OwnAppeal = z.object({
  id: Id,
  content: z.string(),
  createdAt: z.iso.datetime(),
  decidedAt: z.nullable(z.iso.datetime()),
  outcome: z.nullable(z.enum(['upheld', 'overturned'])),
  answer: z.string(),
})
export type OwnAppeal = z.infer<typeof OwnAppeal>

export const ModerationAppeal = z.object({
  id: Id,
  decision: ModerationDecision,
  /**
   * What the action was about. `title` is null and `excerpt` empty if it was deleted, and for messages, which can be read only in their
   * case.
   */
  title: z.nullable(z.string()),
  excerpt: z.string(),
  person: z.nullable(Person),
  content: z.string(),
  createdAt: z.iso.datetime(),
  decidedAt: z.nullable(z.iso.datetime()),
  decidedBy: z.nullable(PersonName),
  outcome: z.nullable(z.enum(['upheld', 'overturned'])),
  answer: z.string(),
  /**
   * False once decided, and for the moderator who acted, the person concerned, anyone who reported the content, and moderators who can't
   * undo the action.
   */
  mayDecide: z.boolean(),
})
export type ModerationAppeal = z.infer<typeof ModerationAppeal>
