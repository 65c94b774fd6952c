import { expect, test } from 'vitest'
import type { ManagedPageExtras } from '#contracts/page-extras.ts'
import { savedGalleryToast } from './page-extras.tsx'

const afterSaving = (states: ManagedPageExtras['gallery'][number]['moderation'][], isUnlocked = true) =>
  savedGalleryToast({
    gallery: states.map((moderation) => ({ moderation })),
    isUnlocked: { gallery: isUnlocked, socialLinks: isUnlocked },
  })

test('states that saved photos are live only if all of them are shown', () => {
  expect(afterSaving([null, null])).toEqual({ title: 'Photos saved', description: 'They’re live on your page.' })
  for (const state of ['held', 'hidden', 'removed'] as const) expect(afterSaving([null, state])).toEqual({ title: 'Photos saved' })
  expect(afterSaving([])).toEqual({ title: 'Photos saved' })
  expect(afterSaving([null], false)).toEqual({ title: 'Photos saved' })
})
