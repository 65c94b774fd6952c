import { beforeEach, expect, test, vi } from 'vitest'
import { canContinue, choicesOf, keepOnboarding, recallOnboarding, startOnboarding, withChoices } from './onboarding-draft.ts'

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

test('Continue waits for the age, then for the type', () => {
  expect(canContinue(draft)).toBe(false)
  expect(canContinue({ ...draft, isOver18: true })).toBe(true)
  expect(canContinue({ ...draft, isOver18: true, step: 2 })).toBe(false)
  expect(canContinue({ ...draft, step: 2, userType: 'consumer' })).toBe(true)
})

test('the wizard survives a reload, is each person’s own, and is gone when it is done', () => {
  const later = { ...draft, step: 2 as const, isOver18: true }
  keepOnboarding('ann', later)
  expect(recallOnboarding('ann')).toEqual(later)
  expect(recallOnboarding('bob')).toBeNull()
  keepOnboarding('ann', null)
  expect(recallOnboarding('ann')).toBeNull()
})

test('what somebody made of the storage is no wizard', () => {
  for (const text of ['{"step":9}', '"a"', '{', JSON.stringify({ ...draft, step: 4 })]) {
    stored.set('plans-onboarding.ann', text)
    expect(recallOnboarding('ann')).toBeNull()
  }
})

test('the page’s interests and the profile’s are one list', () => {
  expect(choicesOf(['CBD Products', 'Growing Tips', 'Flower'])).toEqual(['Flower', 'CBD'])
  expect(withChoices(['CBD Products', 'Growing Tips'], ['Edibles'])).toEqual(['Growing Tips', 'Edibles'])
  expect(withChoices([], ['CBD', 'Flower'])).toEqual(['Flower', 'CBD Products'])
})
