import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isUuid } from '#contracts/addresses.ts'
import { IdOrSlug } from '#contracts/fields.ts'
import { endpoints } from '#contracts/index.ts'
import { numberedSlug, slugBase } from './create-business.ts'

it('converts name and city to plain ASCII', () => {
  expect(slugBase("Bob's Bouffée & Co.", 'Saint-Jérôme')).toBe('bobs-bouffee-and-co-saint-jerome')
  expect(numberedSlug('bobs-denver', 1)).toBe('bobs-denver')
  expect(numberedSlug('bobs-denver', 2)).toBe('bobs-denver-2')
})

it('makes a slug that never collides with another route or looks like an ID', () => {
  const calls = endpoints.flatMap(({ path }) => /^\/api\/businesses\/([\w-]+)/.exec(path)?.[1] ?? [])
  expect(calls).toContain('mine')
  for (const name of [...calls, 'register']) expect(slugBase(name, null)).not.toBe(name)
  expect(isUuid(slugBase('0192f0c1-2345-7abc-8def-0123456789ab', null))).toBe(false)
})

it('makes a valid slug from any name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.option(fc.string({ maxLength: 60 })), (name, city) => {
      const slug = numberedSlug(slugBase(name, city), 12345)
      expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
      expect(IdOrSlug.safeParse(slug).success).toBe(true)
    }),
  )
})
