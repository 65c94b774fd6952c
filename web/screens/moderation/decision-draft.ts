import { explainedActions, reasonOf, reportReasons } from '#contracts/moderation.rules.ts'
import type { CaseDecision, DecisionReason, ModerationAction } from '#contracts/moderation.ts'
import { actionNames } from './desk-words.ts'

/** A decision being prepared. `days` is null for no end, which only a ban can have. */
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

/** Actions in the order of the form and of the number keys: standalone, on content, on people. */
export const actionGroups = { alone, things, people }

/**
 * Toggles an action. At most one per group, and standalone actions exclude all others, so that only valid combinations can be selected.
 */
export function toggleAction(chosen: readonly ModerationAction[], action: ModerationAction): ModerationAction[] {
  if (chosen.includes(action)) return chosen.filter((each) => each !== action)
  if (alone.includes(action)) return [action]
  const group = things.includes(action) ? things : people
  const remaining = chosen.filter((each) => !alone.includes(each) && !group.includes(each))
  return group === things ? [action, ...remaining] : [...remaining, action]
}

/** Whether the person is told why, which requires a reason and an explanation. */
export const isExplained = (actions: readonly ModerationAction[]) => actions.some((action) => explainedActions.includes(action))

/** Whether the actions can or must have an end. */
export function lastingOf(actions: readonly ModerationAction[], isOfCommunity: boolean): 'must' | 'may' | 'no' {
  if (actions.includes('mute') || actions.includes('suspend')) return 'must'
  return actions.includes('ban') && isOfCommunity ? 'may' : 'no'
}

/** Request body. Site-wide bans have no end; community bans may have one. */
export function decisionOf(draft: DecisionDraft, isOfCommunity: boolean) {
  const { actions, reason, explanation, note, days, hideContent } = draft
  const explained = isExplained(actions)
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
  const explained = isExplained(actions)
  return {
    ...(actions.length === 0 ? { actions: 'Choose what to do' } : {}),
    ...(explained && reason === null ? { reason: 'Choose a reason' } : {}),
    ...(explained && explanation.trim() === '' ? { explanation: 'Explain your decision to the person' } : {}),
    ...(lastingOf(actions, isOfCommunity) === 'must' && days === null ? { days: 'Choose how long' } : {}),
  }
}

/** Button label: "Hide and mute for 7 days". */
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

/** Starting point of an explanation: the rule in plain words for the author. Moderators add the rest. */
export const explanationStart = (reason: DecisionReason): string =>
  reason === 'community_rules' ? communityRules : reasonOf(reason).explanation

/** The explanation after switching reasons: replaces an unchanged starting point and keeps edited text. */
export function explanationFor(reason: DecisionReason, written: string): string {
  const isUntouched = written.trim() === '' || [...reportReasons.map(explanationStart), communityRules].includes(written)
  return isUntouched ? explanationStart(reason) : written
}
