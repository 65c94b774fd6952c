import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isUuid } from '#contracts/addresses.ts'
import { IdOrSlug } from '#contracts/fields.ts'
import { communitySlug, communitySlugBase } from './write-community.ts'

it('converts the name to plain ASCII', () => {
  expect(communitySlugBase("Renée's Soil & Sun")).toBe('renees-soil-and-sun')
  expect(communitySlugBase('日本')).not.toBe('')
})

it('makes a slug that never collides with another call or screen or looks like an ID', () => {
  for (const name of ['My', 'Invitations', 'Suggestions', 'Categories']) expect(communitySlugBase(name)).toMatch(/-community$/)
  expect(isUuid(communitySlugBase('0192f0c1-2345-7abc-8def-0123456789ab'))).toBe(false)
})

it('adds an unguessable ending unless the name is public', () => {
  expect(communitySlug('back-room', true)).toBe('back-room')
  const many = Array.from({ length: 50 }, () => communitySlug('back-room', false))
  expect(many.every((slug) => /^back-room-[0-9a-f]{8}$/.test(slug))).toBe(true)
  expect(new Set(many).size).toBe(50)
})

it('makes a valid slug from any name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.boolean(), (name, isPlain) => {
      const slug = communitySlug(communitySlugBase(name), isPlain)
      expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
      expect(IdOrSlug.safeParse(slug).success).toBe(true)
    }),
  )
})
