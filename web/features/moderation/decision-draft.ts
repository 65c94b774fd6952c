import { type CaseDecision, type DecisionReason, explainedActions, type ModerationAction } from '../../../contracts/moderation.ts'
import { actionNames } from './desk-words.ts'

/** What a moderator is about to decide. `days` null: without an end, which only a ban can be. */
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

/** The actions as they stand in the form, and as the number keys count them: what stands alone, what is done to things, and to people. */
export const actionGroups = { alone, things, people }

/**
 * Presses an action, or lets it go. Of each group there is one at most, and what stands alone drives out all else: what cannot be sent
 * together cannot be chosen together.
 */
export function toggleAction(chosen: readonly ModerationAction[], action: ModerationAction): ModerationAction[] {
  if (chosen.includes(action)) return chosen.filter((each) => each !== action)
  if (alone.includes(action)) return [action]
  const group = things.includes(action) ? things : people
  const kept = chosen.filter((each) => !alone.includes(each) && !group.includes(each))
  return group === things ? [action, ...kept] : [...kept, action]
}

/** Whether the person is told why, so that there must be a reason and words for them. */
export const isExplained = (actions: readonly ModerationAction[]) => actions.some((action) => explainedActions.includes(action))

/** Whether one of them can have an end, and whether it must. */
export function lastingOf(actions: readonly ModerationAction[], isOfCommunity: boolean): 'must' | 'may' | 'no' {
  if (actions.includes('mute') || actions.includes('suspend')) return 'must'
  return actions.includes('ban') && isOfCommunity ? 'may' : 'no'
}

/** What is sent. A ban from the whole site has no end; one from a community may have one. */
export function decisionOf(draft: DecisionDraft, isOfCommunity: boolean) {
  const { actions, reason, explanation, note, days, hideContent } = draft
  const told = isExplained(actions)
  return {
    actions: actions.map((action) => ({
      action,
      ...((action === 'mute' || action === 'suspend' || (action === 'ban' && isOfCommunity)) && days !== null ? { days } : {}),
      ...(action === 'ban' && !isOfCommunity && hideContent ? { hideContent } : {}),
    })),
    reason: told ? reason : null,
    explanation: told ? explanation : '',
    note,
  } satisfies Partial<CaseDecision>
}

/** The first message of what is missing, by field. */
export function decisionErrors(
  draft: DecisionDraft,
  isOfCommunity: boolean,
): Partial<Record<'actions' | 'reason' | 'explanation' | 'days', string>> {
  const { actions, reason, explanation, days } = draft
  const told = isExplained(actions)
  return {
    ...(actions.length === 0 ? { actions: 'Choose what to do' } : {}),
    ...(told && reason === null ? { reason: 'Choose a reason' } : {}),
    ...(told && explanation.trim() === '' ? { explanation: 'Say why, in words for the person' } : {}),
    ...(lastingOf(actions, isOfCommunity) === 'must' && days === null ? { days: 'Choose how long' } : {}),
  }
}

/** The button: "Hide and mute for 7 days". */
export function decisionButton({ actions, days }: DecisionDraft, isOfCommunity: boolean): string {
  if (actions.length === 0) return 'Decide'
  const words = actions.map((action, place) => {
    const name = place === 0 ? actionNames[action] : actionNames[action].toLowerCase()
    const lasts = action === 'mute' || action === 'suspend' || (action === 'ban' && isOfCommunity)
    return lasts && days !== null ? `${name} for ${daysWords(days)}` : name
  })
  return words.join(' and ')
}

export const daysWords = (days: number) => (days === 1 ? '1 day' : days === 365 ? '1 year' : `${days} days`)
