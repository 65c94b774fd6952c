import { expect, it } from 'vitest'
import type { Business } from '#contracts/businesses.ts'
import { trustOf } from '#contracts/people.rules.ts'
import { excerptOf, hintsFor, isNewAccount } from './hints-list.tsx'

const verification = { licenseNumber: 'C10-0000123-LIC' } as Business['verification']
const shop = { state: 'CA', isLicenseVerified: true, verification }
const post = { kind: 'post' as const, postType: 'update', businessId: null }
const topicsOf = (hints: ReturnType<typeof hintsFor>) => hints.map(({ topic, effect }) => [topic, effect])

it('lists text that would be held, once per rule, with the matched words', () => {
  const [hint, ...others] = hintsFor({ ...post, texts: ['Hello', 'It cures cancer. Really, it cures epilepsy.'] }, null, false)
  expect(others).toEqual([])
  expect(hint).toMatchObject({ topic: 'health', effect: 'hold', title: 'Health claim', cited: null })
  expect(hint?.excerpts.map(({ found }) => found)).toEqual(['cures cancer', 'cures epilepsy'])
  expect(hint?.excerpts[0]?.before).toBe('It ')
})

it('puts refusals before other hints, and cites the business’s local law', () => {
  const words = { ...post, businessId: 'x', postType: 'promotion', texts: ['Deal', 'Free joint with every order'] }
  const unlicensed = hintsFor(words, { ...shop, isLicenseVerified: false }, false)
  expect(topicsOf(unlicensed)).toEqual([
    ['license', 'refuse'],
    ['giveaway', 'hold'],
  ])
  const licensed = hintsFor(words, shop, false)
  expect(topicsOf(licensed)).toEqual([
    ['giveaway', 'hold'],
    ['license_number', 'hold'],
    ['age_notice', 'advise'],
  ])
  expect(licensed[0]?.cited).toMatchObject({ jurisdiction: 'California', isOwn: true })
})

it('shows no hint about a business that is still loading', () => {
  expect(hintsFor({ ...post, businessId: 'x', texts: ['Deal', 'It cures cancer'] }, undefined, false)).toEqual([])
})

it('cuts excerpts at word boundaries', () => {
  const text = 'A very long beginning of a sentence that cures cancer and goes on for a very long time after that'
  expect(excerptOf(text, { start: text.indexOf('cures'), end: text.indexOf(' and goes') })).toEqual({
    at: text.indexOf('cures'),
    before: '… of a sentence that ',
    found: 'cures cancer',
    after: ' and goes on for a very …',
  })
})

it('ends an excerpt at the end of its field', () => {
  const text = 'Extra cuts\nIt cures cancer\nnews'
  expect(excerptOf(text, { start: text.indexOf('cures'), end: text.indexOf('\nnews') })).toMatchObject({ before: 'It ', after: '' })
})

it('treats an account as new for as long as the server does', () => {
  const now = new Date('2026-11-21T12:00:00Z')
  for (const hours of [0, 71, 72, 73, 9999]) {
    for (const isEmailVerified of [true, false]) {
      const createdAt = new Date(now.getTime() - hours * 3_600_000)
      expect(isNewAccount({ createdAt: createdAt.toISOString(), isEmailVerified }, now.getTime())).toBe(
        trustOf({ createdAt, isEmailVerified }, now) === 'new',
      )
    }
  }
})
