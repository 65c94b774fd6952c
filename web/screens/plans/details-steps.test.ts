import { beforeEach, expect, test, vi } from 'vitest'
import { canContinue, choicesOf, editsOf, recallOnboarding, saveOnboarding, startOnboarding, withChoices } from './details-steps.tsx'

const stored = new Map<string, string>()
beforeEach(() => {
  stored.clear()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
})

const draft = startOnboarding({ agreementId: 'a' }, 'Verified', null)

test('enables Continue after the age is confirmed, and on the next step after a type is chosen', () => {
  expect(canContinue(draft)).toBe(false)
  expect(canContinue({ ...draft, isOver18: true })).toBe(true)
  expect(canContinue({ ...draft, isOver18: true, step: 2 })).toBe(false)
  expect(canContinue({ ...draft, step: 2, userType: 'consumer' })).toBe(true)
})

test('stores a draft for each person, and deletes it when finished', () => {
  const later = { ...draft, step: 2 as const, isOver18: true }
  saveOnboarding('ann', later)
  expect(recallOnboarding('ann')).toEqual(later)
  expect(recallOnboarding('bob')).toBeNull()
  saveOnboarding('ann', null)
  expect(recallOnboarding('ann')).toBeNull()
})

test('ignores an invalid stored draft', () => {
  for (const text of ['{"step":9}', '"a"', '{', JSON.stringify({ ...draft, step: 4 })]) {
    stored.set('plans-onboarding.ann', text)
    expect(recallOnboarding('ann')).toBeNull()
  }
})

test('converts choices to the profile’s interests and back', () => {
  expect(choicesOf(['CBD Products', 'Growing Tips', 'Flower'])).toEqual(['Flower', 'CBD'])
  expect(withChoices(['CBD Products', 'Growing Tips'], ['Edibles'])).toEqual(['Growing Tips', 'Edibles'])
  expect(withChoices([], ['CBD', 'Flower'])).toEqual(['Flower', 'CBD Products'])
})

test('sends only what differs from the business, even an emptied description, but never an emptied location', () => {
  const business = { location: 'Denver, CO', description: 'Small batches.' }
  expect(editsOf(business, { location: 'Denver, CO', description: 'Small batches.' })).toEqual({})
  expect(editsOf(business, { location: '', description: '' })).toEqual({ description: '' })
  expect(editsOf({ location: null, description: null }, { location: 'Boulder, CO', description: '' })).toEqual({ location: 'Boulder, CO' })
})
