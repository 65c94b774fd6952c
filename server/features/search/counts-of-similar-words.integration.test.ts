import { afterAll, beforeAll, expect, it } from 'vitest'
import { nextPage } from '#contracts/addresses.ts'
import type { SearchFacets, SearchHit } from '#contracts/search.endpoints.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { type IndexedSubject, markForSearch } from '#server/kernel/search.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { addPost } from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let t: TestApp
let viewer: TestPerson
beforeAll(async () => {
  t = await startTestApp()
  viewer = await t.signUp()
  const business = await addBusiness(t.db, { name: 'Larkspur Counter', city: 'Denver', state: 'CO' })
  const post = await addPost(t.db, { author_id: viewer.user.id, title: 'A week of larkspurr' })
  await indexed('business', business.id)
  await indexed('post', post)
}, 90_000)
afterAll(() => t?.close())

async function indexed(kind: IndexedSubject, ...ids: string[]): Promise<void> {
  await inTransaction(t.db, (tx) => markForSearch(tx, kind, ids))
  await t.ctx.jobs.enqueue('search.index', {})
  await t.runJobs()
}

async function read<Answer>(path: string): Promise<Answer> {
  const answer = await t.request('GET', `/api/search${path}`, viewer)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json() as Answer
}
const titles = async (query: string) => (await read<SearchHit[]>(query)).map(({ title }) => title)

it('counts matches of similar words for a kind without exact matches, as a search of that kind finds them', async () => {
  expect(await titles('?q=larkspurr')).toEqual(['A week of larkspurr'])
  expect(await titles('?q=larkspurr&kind=business')).toEqual(['Larkspur Counter'])
  const { kinds, states } = await read<SearchFacets>('/facets?q=larkspurr')
  expect(kinds.filter(({ kind }) => kind === 'business' || kind === 'post')).toEqual([
    { kind: 'business', count: 1, isCapped: false, isAlike: true },
    { kind: 'post', count: 1, isCapped: false, isAlike: false },
  ])
  expect(states).toEqual([{ state: 'CO', count: 1, isCapped: false }])
})

it('finds similar words even if it takes several pages to find that nothing is visible', async () => {
  const isHidden = { author_id: viewer.user.id, moderation: 'removed' } as const
  const posts = await Promise.all(Array.from({ length: 50 }, (_, i) => addPost(t.db, { ...isHidden, title: `Quillwortt ${i}` })))
  const { id } = await addBusiness(t.db, { name: 'Quillwort House' })
  await indexed('post', ...posts)
  await indexed('business', id)
  const reader = await t.signUp()
  const pages: string[][] = []
  for (let url: string | null = '/api/search?q=quillwortt&limit=1'; url !== null; ) {
    const answer = await t.request('GET', url, reader)
    expect(answer.statusCode, answer.body).toBe(200)
    pages.push((answer.json() as SearchHit[]).map(({ title }) => title))
    url = nextPage(answer.headers.link as string | undefined)
  }
  expect([pages[0], pages.flat()]).toEqual([[], ['Quillwort House']])
})

it('counts only exact matches of a kind if there are any', async () => {
  const { kinds } = await read<SearchFacets>('/facets?q=larkspur')
  expect(kinds.find(({ kind }) => kind === 'business')).toEqual({ kind: 'business', count: 1, isCapped: false, isAlike: false })
})
