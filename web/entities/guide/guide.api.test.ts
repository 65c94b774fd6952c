import { describe, expect, test } from 'vitest'
import type { GuideProgress, GuideStep } from '#contracts/guide.endpoints.ts'
import { afterChange, markedOf, nextStep } from './guide.api.ts'

const step = (id: string, doneBy: GuideStep['doneBy'] = null): GuideStep => ({
  id,
  title: id,
  text: '',
  path: '/',
  featureName: id,
  isDone: doneBy !== null,
  doneBy,
})

describe('Next Step', () => {
  test('goes to the next open step, and from the end to the beginning', () => {
    const steps = [step('a'), step('b', 'record'), step('c'), step('d', 'mark')]
    expect(nextStep(steps, 'a')?.id).toBe('c')
    expect(nextStep(steps, 'c')?.id).toBe('a')
    expect(nextStep(steps, null)?.id).toBe('a')
  })

  test('has no target if no other step is open', () => {
    expect(nextStep([step('a'), step('b', 'mark')], 'a')).toBeNull()
    expect(nextStep([step('a', 'mark')], null)).toBeNull()
  })
})

test('counts a marked step immediately and leaves recorded steps done', () => {
  const progress: GuideProgress = {
    steps: [step('a', 'record'), step('b'), step('c', 'mark')],
    completed: 2,
    total: 3,
    current: 'b',
    isDismissed: false,
    usesModel: false,
    modelHost: null,
  }
  expect(markedOf(progress)).toEqual(['c'])
  const after = afterChange(progress, { marked: ['b'], current: null })
  expect(after.steps.map(({ doneBy }) => doneBy)).toEqual(['record', 'mark', null])
  expect(after).toMatchObject({ completed: 2, current: null })
})
