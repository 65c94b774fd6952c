import { explainedActions, reasonOf, reportReasons } from '#contracts/moderation.rules.ts'
import type { CaseDecision, DecisionReason, ModerationAction } from '#contracts/moderation.ts'
import { actionNames } from './desk-words.ts'

/** `days` is null for a permanent ban. */
export type DecisionDraft = {
  actions: ModerationAction[]
  reason: DecisionReason | null
  explanation: string
  note: string
  days: number | null
  hideContent: boolean
}

export const emptyDecision: DecisionDraft = { actions: [], reason: null, explanation: '', note: '', days: 7, hideContent: false }

export const lengthsInDays = [1, 3, 7, 14, 30, 90, 365]

const alone: readonly ModerationAction[] = ['approve', 'dismiss']
const things: readonly ModerationAction[] = ['hide', 'remove']
const people: readonly ModerationAction[] = ['warn', 'mute', 'suspend', 'ban']

/** In the order of the form and the number keys. */
export const actionGroups = { alone, things, people }

/** At most one action per group, and standalone actions exclude all others, so people can only select valid combinations. */
export function toggleAction(chosen: readonly ModerationAction[], action: ModerationAction): ModerationAction[] {
  if (chosen.includes(action)) return chosen.filter((each) => each !== action)
  if (alone.includes(action)) return [action]
  const group = things.includes(action) ? things : people
  const remaining = chosen.filter((each) => !alone.includes(each) && !group.includes(each))
  return group === things ? [action, ...remaining] : [...remaining, action]
}

/** If true, the person is notified, which requires a reason and an explanation. */
export const needsExplanation = (actions: readonly ModerationAction[]) => actions.some((action) => explainedActions.includes(action))

export function durationRule(actions: readonly ModerationAction[], isOfCommunity: boolean): 'must' | 'may' | 'no' {
  if (actions.includes('mute') || actions.includes('suspend')) return 'must'
  return actions.includes('ban') && isOfCommunity ? 'may' : 'no'
}

/** Community bans may have an end; site-wide bans don't. */
export function decisionOf(draft: DecisionDraft, isOfCommunity: boolean) {
  const { actions, reason, explanation, note, days, hideContent } = draft
  const explained = needsExplanation(actions)
  return {
    actions: actions.map((action) => ({
      action,
      ...((action === 'mute' || action === 'suspend' || (action === 'ban' && isOfCommunity)) && days !== null ? { days } : {}),
      ...(action === 'ban' && !isOfCommunity && hideContent ? { hideContent } : {}),
    })),
    reason: explained ? reason : null,
    explanation: explained ? explanation : '',
    note,
  } satisfies Partial<CaseDecision>
}

export function decisionErrors(
  draft: DecisionDraft,
  isOfCommunity: boolean,
): Partial<Record<'actions' | 'reason' | 'explanation' | 'days', string>> {
  const { actions, reason, explanation, days } = draft
  const explained = needsExplanation(actions)
  return {
    ...(actions.length === 0 ? { actions: 'Choose what to do' } : {}),
    ...(explained && reason === null ? { reason: 'Choose a reason' } : {}),
    ...(explained && explanation.trim() === '' ? { explanation: 'Explain your decision to the person' } : {}),
    ...(durationRule(actions, isOfCommunity) === 'must' && days === null ? { days: 'Choose how long' } : {}),
  }
}

export function decisionButton({ actions, days }: DecisionDraft, isOfCommunity: boolean): string {
  if (actions.length === 0) return 'Submit'
  const words = actions.map((action, place) => {
    const name = place === 0 ? actionNames[action] : actionNames[action].toLowerCase()
    const lasts = action === 'mute' || action === 'suspend' || (action === 'ban' && isOfCommunity)
    return lasts && days !== null ? `${name} for ${daysWords(days)}` : name
  })
  return words.join(' and ')
}

export const daysWords = (days: number) => (days === 1 ? '1 day' : days === 365 ? '1 year' : `${days} days`)

const communityRules = 'It breaks this community’s rules.'

/** The rule in plain words for the author. Moderators add the rest. */
export const defaultExplanation = (reason: DecisionReason): string =>
  reason === 'community_rules' ? communityRules : reasonOf(reason).explanation

/** Replaces a default explanation, but not one that the moderator has edited. */
export function explanationFor(reason: DecisionReason, written: string): string {
  const isUntouched = written.trim() === '' || [...reportReasons.map(defaultExplanation), communityRules].includes(written)
  return isUntouched ? defaultExplanation(reason) : written
}
