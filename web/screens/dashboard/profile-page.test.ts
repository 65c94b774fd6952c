import { expect, test, vi } from 'vitest'
import type { Business } from '#contracts/businesses.ts'
import { saveDraft } from '#web/forms/form-draft.ts'
import { startValues } from './profile-page.tsx'

const saved = { id: 'b', name: 'Harbor Door', description: null, phone: null, website: null }
const business = (totalRatings: number) =>
  ({ ...saved, totalRatings, subscriberCount: 0, licenses: [], verification: { status: 'none' } }) as unknown as Business

test('restores a drafted name only while the name can change', () => {
  const stored = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => stored.set(name, text),
  })
  saveDraft('business-page.b', { name: 'Typed', description: 'Open late.' })
  expect(startValues(business(0))).toEqual({ name: 'Typed', description: 'Open late.', phone: '', website: '' })
  expect(startValues(business(1))).toEqual({ name: 'Harbor Door', description: 'Open late.', phone: '', website: '' })
  vi.unstubAllGlobals()
})
