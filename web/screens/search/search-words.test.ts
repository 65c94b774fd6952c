import { expect, test } from 'vitest'
import type { SearchKind } from '#contracts/search.ts'
import { hitFacts, hitPath, resultSentence } from './search-words.ts'

const counted = (kind: SearchKind, count: number, isCapped = false) => ({ kind, count, isCapped })
const page = (...alike: boolean[]) => [{ items: alike.map((isAlike) => ({ isAlike })) }]

test.each([
  [{ q: 'og' }, [counted('business', 1), counted('strain', 2)], page(false), '3 results.'],
  [{ q: 'og' }, [counted('business', 1)], page(false), '1 result.'],
  [{ q: 'og', kind: 'strain' as const }, [counted('business', 9), counted('strain', 1)], page(false), '1 strain.'],
  [{ q: 'og', kind: 'person' as const }, [counted('person', 1000, true)], page(false), '1,000+ people.'],
  [{ q: 'kusch' }, [counted('strain', 2)], page(true, true), 'No exact match for “kusch”. 2 results are similar.'],
  [{ q: 'kusch' }, [counted('strain', 2)], page(false, true), '2 results.'],
  [{ q: 'og' }, [counted('strain', 0)], page(), ''],
])('words %j: %j', (address, kinds, pages, sentence) => {
  expect(resultSentence(address, { kinds }, pages)).toBe(sentence)
})

test('links a strain, which has no page, to all results of its name', () => {
  expect(hitPath({ kind: 'strain', title: 'A & B', path: '/elsewhere' })).toBe('/search?q=A%20%26%20B')
  expect(hitPath({ kind: 'post', title: 'A', path: '/post/1' })).toBe('/post/1')
})

test.each([
  ['Dispensary', 'Denver, CO', 'Dispensary · Denver, CO'],
  ['Dispensary · Denver, CO', 'Denver, CO', 'Dispensary · Denver, CO'],
  [null, 'Denver, CO', 'Denver, CO'],
  [null, null, ''],
])('words %s in %s: %s', (subtitle, location, facts) => {
  expect(hitFacts({ subtitle, location })).toBe(facts)
})
