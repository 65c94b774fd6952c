import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { searchKinds } from '#contracts/choices.ts'
import type { SearchFacets, SearchHit } from '#contracts/search.endpoints.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { newId } from '#server/kernel/ids.ts'
import { type IndexedSubject, markForSearch, type SearchQuery } from '#server/kernel/search.ts'
import { addBusiness, licensed } from '#tests/support/businesses.ts'
import { addCommunity, joinCommunity } from '#tests/support/communities.ts'
import { grantPlan } from '#tests/support/entitlements.ts'
import { addProduct } from '#tests/support/menus.ts'
import { giveRole } from '#tests/support/roles.ts'
import { addPeople, addPost, blockPerson, joinBusiness, subscribeTo } from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { kindsLeft } from './search.ts'

let t: TestApp
let viewer: TestPerson
let other: TestPerson
const logged: string[] = []
beforeAll(async () => {
  t = await startTestApp({ logTo: (line) => logged.push(line) })
  viewer = await t.signUp()
  other = await t.signUp({ firstName: 'Odalys', lastName: 'Quillfeather' })
  await addBusiness(t.db, { name: 'Blue Fern Dispensary', city: 'Denver', state: 'CO' })
  await indexed()
}, 90_000)
afterAll(() => t?.close())

/** Indexes everything pending, including the given subjects. */
async function indexed(kind?: IndexedSubject, ...ids: string[]): Promise<void> {
  // The test wrote to the table directly; a feature would have marked the row.
  if (kind) await inTransaction(t.db, (tx) => markForSearch(tx, kind, ids))
  await t.ctx.jobs.enqueue('search.index', {})
  await t.runJobs()
}

const ask = (path: string, as: TestPerson | null = viewer) => t.request('GET', path, as)
async function find(query: string, as = viewer): Promise<SearchHit[]> {
  const answer = await ask(`/api/search?${query}`, as)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json() as SearchHit[]
}
const titles = async (query: string, as = viewer) => (await find(query, as)).map(({ title }) => title)
const suggested = async (q: string, as = viewer) =>
  ((await ask(`/api/search/suggestions?q=${encodeURIComponent(q)}`, as)).json() as SearchHit[]).map(({ title }) => title)
const facets = async (query: string, as = viewer) => (await ask(`/api/search/facets?${query}`, as)).json() as SearchFacets
const countOf = async (kind: string, query: string, as = viewer) =>
  (await facets(query, as)).kinds.find((each) => each.kind === kind)?.count
async function isFound(title: string, query: string, as = viewer): Promise<boolean> {
  const found = (await titles(`q=${encodeURIComponent(query)}`, as)).includes(title)
  expect((await suggested(query, as)).includes(title) || !found || query !== title, 'suggested, too').toBe(true)
  return found
}

it('fills the index of a new database with strains', async () => {
  expect((await titles('q=blu dre&kind=strain')).slice(0, 6)).toContain('Blue Dream')
  const [first] = await find('q=Blue Dream&kind=strain')
  expect(first).toMatchObject({
    kind: 'strain',
    title: 'Blue Dream',
    path: '/strains/blue-dream',
    isAlike: false,
    matched: [
      [0, 4],
      [5, 10],
    ],
  })
})

it('finds words in any order, by prefix or stem, and despite typos', async () => {
  expect((await titles('q=dream blue&kind=strain'))[0]).toBe('Blue Dream')
  expect((await find('q=bleu dreem&kind=strain'))[0]).toMatchObject({ title: expect.stringContaining('Blue'), isAlike: true })
  expect(await titles('q=dispensaries denver')).toContain('Blue Fern Dispensary')
  expect(await suggested('fern dis')).toContain('Blue Fern Dispensary')
  expect(await suggested('bl')).toHaveLength(8)
})

it('returns nothing for input without words, and ignores query syntax', async () => {
  for (const q of ['!!!', "')", '& | !', '^blue:*', "'blue' & !'fern'", '\\', '%', '𝒃𝒍𝒖𝒆', '中文', 'a'.repeat(120), ' \u0301 ']) {
    expect((await ask(`/api/search?q=${encodeURIComponent(q)}`)).statusCode, q).toBeLessThan(401)
    expect((await ask(`/api/search/suggestions?q=${encodeURIComponent(q)}`)).statusCode, q).toBeLessThan(401)
  }
  expect(await find('q=%21%21%21')).toEqual([])
  expect((await ask('/api/search?q=')).statusCode).toBe(400)
  expect((await ask(`/api/search?q=${'a'.repeat(121)}`)).statusCode).toBe(400)
  expect((await ask('/api/search?q=blue', null)).statusCode).toBe(401)
})

it('paginates without gaps or repeats', async () => {
  const all = await find('q=blue&limit=100&kind=strain')
  const paged: string[] = []
  let path: string | null = '/api/search?q=blue&limit=7&kind=strain'
  while (path && paged.length < 100) {
    const answer = await ask(path)
    paged.push(...(answer.json() as SearchHit[]).map(({ id }) => id))
    path = /<([^>]+)>; rel="next"/.exec(String(answer.headers.link ?? ''))?.[1] ?? null
  }
  expect(paged.slice(0, 100)).toEqual(all.map(({ id }) => id))
  expect(new Set(paged).size).toBe(paged.length)
})

it('reflects a profile’s text, privacy, blocks, moderation, and deletion', async () => {
  await t.db.updateTable('users').set({ is_profile_public: true }).where('id', '=', other.user.id).execute()
  await indexed('person', other.user.id)
  expect(await isFound('Odalys Quillfeather', 'odalys quill')).toBe(true)
  expect((await find('q=quilfether'))[0]).toMatchObject({ kind: 'person', isAlike: true })
  await t.db.updateTable('users').set({ display_name: 'Zephyrine Moss' }).where('id', '=', other.user.id).execute()
  await indexed('person', other.user.id)
  expect(await titles('q=quillfeather&kind=person')).toEqual([])
  expect(await isFound('Zephyrine Moss', 'zephyrine')).toBe(true)

  for (const hidden of [
    { is_profile_public: false },
    { profile_moderation: 'hidden' as const },
    { banned_at: new Date() },
    { leaves_at: new Date() },
  ]) {
    await t.db.updateTable('users').set(hidden).where('id', '=', other.user.id).execute()
    // Immediately, without waiting for the index.
    expect(await titles('q=zephyrine'), JSON.stringify(hidden)).toEqual([])
    expect(await suggested('zephyrine')).toEqual([])
    expect(await countOf('person', 'q=zephyrine')).toBe(0)
    await t.db
      .updateTable('users')
      .set({ is_profile_public: true, profile_moderation: null, banned_at: null, leaves_at: null })
      .where('id', '=', other.user.id)
      .execute()
    expect(await countOf('person', 'q=zephyrine')).toBe(1)
  }
  for (const [one, two] of [
    [viewer, other],
    [other, viewer],
  ] as const) {
    await blockPerson(t.db, one.user.id, two.user.id)
    expect(await titles('q=zephyrine')).toEqual([])
    await t.db.deleteFrom('person_blocks').execute()
  }
  const [gone] = await addPeople(t.db, 1, { display_name: 'Wisteria Vale', is_profile_public: true, birthday: '1990-01-01' })
  await indexed('person', gone as string)
  expect(await titles('q=wisteria')).toEqual(['Wisteria Vale'])
  await t.db
    .deleteFrom('users')
    .where('id', '=', gone as string)
    .execute()
  expect(await titles('q=wisteria')).toEqual([])
  const left = await t.db
    .selectFrom('search_documents')
    .select('id')
    .where('id', '=', gone as string)
    .execute()
  expect(left).toEqual([])
})

it('finds exclusive posts only by their titles', async () => {
  const business = await addBusiness(t.db, { name: 'Terrace Nine' })
  const post = await addPost(t.db, {
    author_id: other.user.id,
    business_id: business.id,
    title: 'Xylophone harvest',
    content: 'Marzipan lanterns',
    tags: ['oboetag'],
    is_exclusive: true,
  })
  await indexed('post', post)
  await subscribeTo(t.db, other.user.id, business.id)
  expect(await titles('q=xylophone')).toEqual(['Xylophone harvest'])
  expect((await find('q=xylophone'))[0]?.snippet).toBeNull()
  expect((await find('q=xylophone', other))[0]?.snippet).toBe('Marzipan lanterns')
  for (const q of ['marzipan', 'oboetag']) expect(await titles(`q=${q}&kind=post`, other)).toEqual([])

  await t.db.updateTable('posts').set({ is_exclusive: false }).where('id', '=', post).execute()
  await indexed('post', post)
  expect(await titles('q=marzipan')).toEqual(['Xylophone harvest'])
  await t.db.updateTable('posts').set({ moderation: 'hidden' }).where('id', '=', post).execute()
  expect([...(await titles('q=marzipan&kind=post')), ...(await titles('q=marzipan&kind=post', other))]).toEqual([])
  expect(await countOf('post', 'q=marzipan')).toBe(0)
})

it('shows a private community and its posts only to members', async () => {
  const secret = await addCommunity(
    t.db,
    { owner: other.user.id },
    { name: 'Obsidian Orchard', description: 'Quartzite', visibility: 'private' },
  )
  const post = await addPost(t.db, {
    author_id: other.user.id,
    title: 'Velvet antlers',
    content: 'Said inside',
    community_id: secret.id,
    post_type: 'discussion',
  })
  await indexed('community', secret.id)
  await indexed('post', post)
  const moderator = await t.signUp()
  await giveRole(t, moderator, 'moderator')
  for (const stranger of [viewer, moderator]) {
    expect(await titles('q=obsidian&kind=community', stranger)).toEqual([])
    expect(await titles('q=velvet antlers&kind=post', stranger)).toEqual([])
    expect(await suggested('velvet', stranger)).not.toContain('Velvet antlers')
    expect(await countOf('post', 'q=velvet', stranger)).toBe(0)
    expect(await titles('q=obsidiam&kind=community', stranger)).toEqual([])
  }
  expect(await titles('q=obsidian&kind=community', other)).toEqual(['Obsidian Orchard'])
  await joinCommunity(t.db, secret.id, viewer.user.id)
  expect(await titles('q=velvet antlers')).toEqual(['Velvet antlers'])
  await t.db.deleteFrom('community_members').where('user_id', '=', viewer.user.id).execute()
  expect(await titles('q=velvet antlers&kind=post')).toEqual([])
})

it('shows products and advertising only to people of the place’s legal age', async () => {
  const business = await addBusiness(t.db, { name: 'Kestrel Counter', ...licensed })
  const product = await addProduct(t.db, business.id, { name: 'Persimmon Rosin' })
  const post = await addPost(t.db, { author_id: other.user.id, business_id: business.id, title: 'Persimmon week', post_type: 'promotion' })
  await indexed('product', product)
  await indexed('post', post)
  const young = await t.signUp({ birthday: new Date(t.clock.now().getTime() - 19.5 * 365.25 * 86_400_000).toISOString().slice(0, 10) })
  expect((await titles('q=persimmon')).sort()).toEqual(['Persimmon Rosin', 'Persimmon week'])
  expect(await titles('q=persimmon', young)).toEqual([])
  expect(await countOf('product', 'q=persimmon', young)).toBe(0)
  expect(await countOf('product', 'q=persimmon')).toBe(1)

  await t.db.updateTable('businesses').set({ moderation: 'hidden' }).where('id', '=', business.id).execute()
  expect(await titles('q=persimmon')).toEqual([])
  expect(await titles('q=kestrel')).toEqual([])
  await t.db.updateTable('businesses').set({ moderation: null }).where('id', '=', business.id).execute()
  await t.db.insertInto('business_blocks').values({ user_id: viewer.user.id, business_id: business.id }).execute()
  expect(await titles('q=persimmon')).toEqual([])
  await t.db.deleteFrom('business_blocks').execute()
  await t.db.deleteFrom('products').where('id', '=', product).execute()
  expect(await titles('q=persimmon')).toEqual(['Persimmon week'])
})

it('narrows the results by kind, state, type, and place, and counts them', async () => {
  const far = await addBusiness(t.db, { name: 'Marigold North', city: 'Portland', state: 'OR', type: 'farm' })
  const near = await addBusiness(t.db, { name: 'Marigold South', city: 'Denver', state: 'CO' })
  const next = await addBusiness(t.db, { name: 'Marigold West', city: 'Boulder', state: 'CO' })
  await indexed('business', far.id, near.id, next.id)
  expect((await titles('q=marigold')).length).toBe(3)
  expect(await titles('q=marigold&state=OR')).toEqual(['Marigold North'])
  expect(await titles('q=marigold&businessType=farm')).toEqual(['Marigold North'])
  expect(await titles('q=marigold&kind=person')).toEqual([])
  expect(await titles('q=marigold&place=Denver, CO&radius=60')).toEqual(['Marigold South', 'Marigold West'])
  expect((await find('q=marigold&place=Denver, CO&radius=60'))[1]?.distanceMiles).toBeGreaterThan(15)
  expect(await titles('q=marigold&place=Colorado')).toHaveLength(2)
  expect(await titles('q=marigold&place=Colorado&state=OR')).toEqual([])
  expect((await ask('/api/search?q=marigold&place=Nowhereville Zz')).statusCode).toBe(400)
  const { kinds, states, businessTypes } = await facets('q=marigold')
  expect(kinds.find(({ kind }) => kind === 'business')).toEqual({ kind: 'business', count: 3, isCapped: false, isAlike: false })
  expect(states).toEqual([
    { state: 'CO', count: 2, isCapped: false },
    { state: 'OR', count: 1, isCapped: false },
  ])
  expect(businessTypes.map(({ businessType }) => businessType)).toEqual(['dispensary', 'farm'])
})

it('counts results within a place, state, or type, and skips kinds that have none of these', async () => {
  const business = await addBusiness(t.db, { name: 'Tansy Court', city: 'Denver', state: 'CO' })
  const product = await addProduct(t.db, business.id, { name: 'Tansy Rosin' })
  await indexed('business', business.id)
  await indexed('product', product)
  const counts = async (query: string) => (await facets(query)).kinds.filter(({ count }) => count > 0).map(({ kind }) => kind)
  for (const query of ['q=tansy&state=CO', 'q=tansy&place=Denver, CO', 'q=tansy&businessType=dispensary'])
    expect(await counts(query), query).toEqual(['business', 'product'])
  const rows = await t.db
    .selectFrom('search_documents')
    .select(['kind', sql<boolean>`bool_or(latitude is not null)`.as('hasPlace')])
    .select(sql<boolean>`bool_or(exists (select from unnest(words) where lexeme ~ '^[@#]'))`.as('hasState'))
    .groupBy('kind')
    .execute()
  expect(rows.map(({ kind }) => kind).sort()).toEqual([...searchKinds].sort())
  const everything = { text: '', kinds: null, state: null, businessType: null, area: null }
  const left = (narrowed: Partial<SearchQuery>) => [...kindsLeft({ ...everything, ...narrowed })].sort()
  const having = (what: 'hasPlace' | 'hasState') => rows.flatMap((row) => (row[what] ? [row.kind] : [])).sort()
  expect(left({ area: { center: { latitude: 39.7, longitude: -105 }, radiusMiles: 25 } })).toEqual(having('hasPlace'))
  expect(left({ state: 'CO' })).toEqual(having('hasState'))
  expect(left({ businessType: 'farm' })).toEqual(having('hasState'))
})

it('moves and renames a business’s content along with the business', async () => {
  const business = await addBusiness(t.db, { name: 'Larkspur Hall', city: 'Denver', state: 'CO' })
  const post = await addPost(t.db, { author_id: other.user.id, business_id: business.id, title: 'Tamarind letters' })
  const item = await addProduct(t.db, business.id, { name: 'Tangelo drops' })
  await indexed('business', business.id)
  await indexed('post', post)
  await indexed('product', item)
  expect(await titles('q=tamarind&state=CO')).toHaveLength(1)
  await t.db.updateTable('businesses').set({ name: 'Lantern Field' }).where('id', '=', business.id).execute()
  await indexed('business', business.id)
  expect([await titles('q=lantern tangelo'), await titles('q=larkspur tangelo')]).toEqual([['Tangelo drops'], []])
  await t.db
    .updateTable('businesses')
    .set({ state: 'OR', city: 'Portland', location: 'Portland, OR' })
    .where('id', '=', business.id)
    .execute()
  await indexed('business', business.id)
  expect(await titles('q=tamarind&state=CO')).toEqual([])
  expect(await titles('q=tamarind&state=OR')).toHaveLength(1)
})

it('ranks no one higher for money', async () => {
  // Both licenses are verified, because trust affects the rank and is tested separately.
  const paying = await addBusiness(t.db, { name: 'Saffron Gate East', ...licensed })
  const plain = await addBusiness(t.db, { name: 'Saffron Gate West', ...licensed })
  const items = [await addProduct(t.db, paying.id, { name: 'Saffron tea' }), await addProduct(t.db, plain.id, { name: 'Saffron tea' })]
  await indexed('product', ...items)
  await indexed('business', paying.id, plain.id)
  const ids = [paying.id, plain.id, ...items]
  const qualities = () => t.db.selectFrom('search_documents').select(['id', 'quality']).where('id', 'in', ids).orderBy('id').execute()
  const before = [await titles('q=saffron gate'), await qualities()]
  await joinBusiness(t.db, other.user.id, paying.id)
  await grantPlan(t.db, { businessId: paying.id, userId: other.user.id, planId: 'pro_partner' })
  // Subscriptions may cost money, too.
  await t.db.updateTable('businesses').set({ claimed_at: new Date(), subscriber_count: 100 }).where('id', '=', paying.id).execute()
  await indexed('product', ...items)
  await indexed('business', paying.id, plain.id)
  expect([await titles('q=saffron gate'), await qualities()]).toEqual(before)
})

it('breaks ties by license: verified, then listed, then neither', async () => {
  const none = await addBusiness(t.db, { name: 'Copper Gate East', license_standing: 'none' })
  const listed = await addBusiness(t.db, { name: 'Copper Gate West' })
  const verified = await addBusiness(t.db, { name: 'Copper Gate Nord', ...licensed })
  await indexed('business', none.id, listed.id, verified.id)
  expect(await titles('q=copper gate')).toEqual(['Copper Gate Nord', 'Copper Gate West', 'Copper Gate East'])
})

it('rebuilds the entire index during writes without changing it', async () => {
  const snapshot = () => t.db.selectFrom('search_documents').select(['id', 'words', 'quality']).orderBy('id').execute()
  const pass = () => t.db.updateTable('search_state').set({ pass_kind: 'business', pass_after: null }).execute()
  await pass()
  await indexed()
  const before = await snapshot()
  const author = other.user.id
  const [, post] = await Promise.all([
    (async () => {
      await pass()
      await Promise.all([indexed(), indexed(), indexed()])
    })(),
    addPost(t.db, { author_id: author, title: 'Written meanwhile' }).then(async (id) => {
      await inTransaction(t.db, (tx) => markForSearch(tx, 'post', [id, id]))
      return id
    }),
  ])
  await indexed()
  const after = await snapshot()
  expect(after.filter(({ id }) => id !== post)).toEqual(before)
  expect(after).toHaveLength(before.length + 1)
  expect(await t.db.selectFrom('search_changes').select('id').execute()).toEqual([])
  await t.db.deleteFrom('posts').where('id', '=', post).execute()
  expect(await snapshot()).toEqual(before)
})

it('refuses a forged cursor', async () => {
  for (const stage of [1e308, -1e308, -99_999_999_999, 0.5]) {
    const cursor = Buffer.from(JSON.stringify([stage, 1, newId()])).toString('base64url')
    const answer = await ask(`/api/search?q=abcdef&cursor=${cursor}`)
    expect(answer.statusCode, `${stage}: ${answer.body}`).toBe(400)
  }
})

it('skips and reports rows that the database rejects', async () => {
  const names = ['Umbra East', 'Umbra Middle', 'Umbra West']
  const ids: string[] = []
  for (const name of names) ids.push((await addBusiness(t.db, { name })).id)
  const refused = ids[1] as string
  await indexed('business', ...ids)
  expect((await titles('q=umbra')).sort()).toEqual(names)
  await sql`alter table search_documents add constraint refuses check (folded <> 'umbra hidden')`.execute(t.db)
  await t.db.updateTable('businesses').set({ name: 'Umbra Hidden' }).where('id', '=', refused).execute()
  await t.db
    .updateTable('businesses')
    .set({ name: 'Umbra North' })
    .where('id', '=', ids[2] as string)
    .execute()
  await indexed('business', ...ids)
  // The rejected document's old version is removed, because it might show what must no longer be found.
  expect((await titles('q=umbra')).sort()).toEqual(['Umbra East', 'Umbra North'])
  expect(await t.db.selectFrom('search_changes').select('id').execute()).toEqual([])
  const lines = logged.filter((line) => line.includes('skipping it'))
  expect(lines.map((line) => JSON.parse(line))).toEqual([expect.objectContaining({ kind: 'business', id: refused })])
  expect(lines.join()).not.toContain('Hidden')
  await sql`alter table search_documents drop constraint refuses`.execute(t.db)
  await indexed('business', refused)
  expect(await titles('q=umbra hidden')).toEqual(['Umbra Hidden'])
})

it('stops between batches when the server stops', async () => {
  const stopping = await startTestApp()
  const state = () => stopping.db.selectFrom('search_state').select(['pass_kind', 'pass_after']).executeTakeFirstOrThrow()
  await stopping.ctx.jobs.enqueue('search.index', {})
  const indexing = stopping.runJobs()
  await expect.poll(async () => (await state()).pass_after, { interval: 5 }).not.toBeNull()
  await stopping.app.close()
  await indexing
  // The next process resumes the pass from here.
  expect((await state()).pass_kind).toBe('strain')
  await stopping.close()
})
