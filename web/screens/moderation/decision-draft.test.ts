import { describe, expect, test } from 'vitest'
import { moderationActions } from '#contracts/moderation.rules.ts'
import { CaseDecision, type ModerationAction } from '#contracts/moderation.ts'
import {
  type DecisionDraft,
  decisionButton,
  decisionErrors,
  decisionOf,
  defaultExplanation,
  durationRule,
  emptyDecision,
  explanationFor,
  toggleAction,
} from './decision-draft.ts'

test('replaces an unedited template when the reason changes', () => {
  expect(explanationFor('spam', '')).toBe(defaultExplanation('spam'))
  expect(explanationFor('minors', defaultExplanation('spam'))).toBe(defaultExplanation('minors'))
})

test('preserves edited text', () => {
  const own = `${defaultExplanation('spam')} Post it in the market thread.`
  expect(explanationFor('minors', own)).toBe(own)
})

const draft = (part: Partial<DecisionDraft>): DecisionDraft => ({ ...emptyDecision, reason: 'spam', explanation: 'Because.', ...part })
const isTaken = (decision: object) => CaseDecision.safeParse(decision).success

describe('choosing actions', () => {
  test('allows one action for the subject and one for the person, in this order', () => {
    expect(toggleAction(['mute'], 'hide')).toEqual(['hide', 'mute'])
    expect(toggleAction(['hide', 'mute'], 'remove')).toEqual(['remove', 'mute'])
    expect(toggleAction(['hide', 'mute'], 'ban')).toEqual(['hide', 'ban'])
    expect(toggleAction(['hide', 'mute'], 'hide')).toEqual(['mute'])
  })

  test('replaces all other actions with an exclusive one, and an exclusive action with any other', () => {
    expect(toggleAction(['hide', 'mute'], 'dismiss')).toEqual(['dismiss'])
    expect(toggleAction(['dismiss'], 'warn')).toEqual(['warn'])
    expect(toggleAction(['approve'], 'remove')).toEqual(['remove'])
  })

  test('always satisfies the contract, in any order of presses', () => {
    for (const first of moderationActions) {
      for (const second of moderationActions) {
        for (const third of moderationActions) {
          const actions = [first, second, third].reduce<ModerationAction[]>(toggleAction, [])
          if (actions.length > 0) expect([actions, isTaken(decisionOf(draft({ actions }), false))]).toEqual([actions, true])
        }
      }
    }
  })
})

describe('the decision sent', () => {
  test('has a duration for temporary actions, and for a ban only in a community', () => {
    expect(decisionOf(draft({ actions: ['hide', 'mute'], days: 3 }), false).actions).toEqual([
      { action: 'hide' },
      { action: 'mute', days: 3 },
    ])
    expect(decisionOf(draft({ actions: ['ban'], days: 3 }), false).actions).toEqual([{ action: 'ban' }])
    expect(decisionOf(draft({ actions: ['ban'], days: 3 }), true).actions).toEqual([{ action: 'ban', days: 3 }])
    expect(decisionOf(draft({ actions: ['ban'], days: null }), true).actions).toEqual([{ action: 'ban' }])
  })

  test('hides the person’s content only with a ban from the site', () => {
    expect(decisionOf(draft({ actions: ['ban'], hideContent: true }), false).actions).toEqual([{ action: 'ban', hideContent: true }])
    expect(decisionOf(draft({ actions: ['ban'], hideContent: true }), true).actions).toEqual([{ action: 'ban', days: 7 }])
    expect(decisionOf(draft({ actions: ['mute'], hideContent: true }), false).actions).toEqual([{ action: 'mute', days: 7 }])
  })

  test('has no reason or explanation for actions without a notice', () => {
    const sent = decisionOf(draft({ actions: ['dismiss'], note: 'A quarrel.' }), false)
    expect(sent).toEqual({ actions: [{ action: 'dismiss' }], reason: null, explanation: '', note: 'A quarrel.' })
  })
})

test('reports missing input next to its field, as the server does', () => {
  expect(decisionErrors(emptyDecision, false)).toEqual({ actions: 'Choose what to do' })
  expect(decisionErrors(draft({ actions: ['dismiss'], reason: null, explanation: '' }), false)).toEqual({})
  const untold = draft({ actions: ['hide'], reason: null, explanation: ' ' })
  expect(Object.keys(decisionErrors(untold, false))).toEqual(['reason', 'explanation'])
  expect(isTaken(decisionOf(untold, false))).toBe(false)
  expect(decisionErrors(draft({ actions: ['suspend'], days: null }), false)).toEqual({ days: 'Choose how long' })
  expect(durationRule(['hide'], true)).toBe('no')
})

test('describes the action on the button', () => {
  expect(decisionButton(emptyDecision, false)).toBe('Submit')
  expect(decisionButton(draft({ actions: ['hide', 'mute'], days: 7 }), false)).toBe('Hide and mute for 7 days')
  expect(decisionButton(draft({ actions: ['remove', 'suspend'], days: 1 }), false)).toBe('Remove and suspend for 1 day')
  expect(decisionButton(draft({ actions: ['ban'], days: 30 }), false)).toBe('Ban')
  expect(decisionButton(draft({ actions: ['ban'], days: null }), true)).toBe('Ban')
})
