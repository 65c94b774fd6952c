import { describe, expect, test } from 'vitest'
import { checklistOf, type GuideFacts, stepsFor } from './steps.ts'

const consumer = stepsFor({ userType: 'consumer', businessType: null }, 'sungrove')
const none: GuideFacts = {
  hasProfile: false,
  follows: false,
  subscribes: false,
  hasFavorite: false,
  hasReviewed: false,
  isInCommunity: false,
  hasPosted: false,
  hasHunt: false,
  hasBusiness: false,
  hasLicense: false,
  hasDescription: false,
  hasMenu: false,
  hasHours: false,
  hasBusinessPost: false,
  hasTeam: false,
  hasPlan: false,
}

describe('the checklist', () => {
  test('differs for businesses and includes hunts for farms', () => {
    const ids = (businessType: 'farm' | 'dispensary') => stepsFor({ userType: 'business', businessType }, 'sungrove').map(({ id }) => id)
    expect(consumer.map(({ id }) => id)).toEqual(['profile', 'follow', 'favorite', 'subscribe', 'review', 'community', 'post', 'hunt'])
    expect(ids('dispensary')).toEqual(['claim', 'license', 'page', 'menu', 'hours', 'first-post', 'team', 'plan'])
    expect(ids('farm')).toEqual([...ids('dispensary'), 'hunt'])
  })

  test('counts a step once even if both recorded and marked, and makes the first open step current', () => {
    const list = checklistOf(
      consumer,
      { ...none, hasProfile: true, follows: true },
      { marked: ['follow', 'review', 'nonsense'], current: null },
    )
    expect(list).toMatchObject({ completed: 3, total: 8, current: 'favorite' })
    expect(list.steps.map(({ doneBy }) => doneBy)).toEqual(['record', 'record', null, null, 'mark', null, null, null])
  })

  test('lets people unmark marked steps but not recorded ones', () => {
    expect(checklistOf(consumer, { ...none, follows: true }, { marked: [], current: null }).completed).toBe(1)
  })

  test('makes the open step that the person chose current, and no step once all are done', () => {
    expect(checklistOf(consumer, none, { marked: [], current: 'post' }).current).toBe('post')
    expect(checklistOf(consumer, none, { marked: [], current: 'claim' }).current).toBe('profile')
    const all = checklistOf(consumer, none, { marked: consumer.map(({ id }) => id), current: 'post' })
    expect(all).toMatchObject({ completed: 8, total: 8, current: null })
  })
})
