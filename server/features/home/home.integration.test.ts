import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { BusinessSummary } from '#contracts/businesses.ts'
import { connect } from '#server/db/connect.ts'
import { newId } from '#server/kernel/ids.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { addPeople } from '#tests/support/people.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { computeTrends, halfLifeDays, trendsQuery, trendWeights, windowDays } from './trends.ts'

let test: TestApp
let me: TestPerson
let crowd: string[]

beforeAll(async () => {
  test = await startTestApp()
  me = await test.signUp()
  crowd = await addPeople(test.db, 20)
})
afterAll(() => test?.close())
beforeEach(async () => {
  await test.db.deleteFrom('businesses').execute()
})

type Shown = BusinessSummary & { isNearby: boolean }
const trending = async (as: TestPerson | null = null, query = '') =>
  (await test.request('GET', `/api/trending${query}`, as)).json() as (Shown & { reason: string })[]
const featured = async (query = '') => (await test.request('GET', `/api/featured${query}`)).json() as Shown[]
const nearDenver = '?near=Denver,%20CO'
const inDenver = { city: 'Denver', state: 'CO', pin_latitude: 39.74, pin_longitude: -104.99, pin_precision: 'premise' } as const
const compute = async () => {
  await test.ctx.jobs.enqueue('home.compute-trends', {})
  await test.runJobs()
}
const daysAgo = (days: number) => new Date(test.clock.now().getTime() - days * 86_400_000)
const scores = () => test.db.selectFrom('business_trends').select(['business_id', 'score']).orderBy('score', 'desc').execute()

async function addPost(businessId: string, author = crowd[0] as string): Promise<string> {
  const id = newId()
  await test.db.insertInto('posts').values({ id, author_id: author, business_id: businessId, title: 'A title', content: 'Words' }).execute()
  return id
}
const like = (post_id: string, people: string[], days = 0.5) =>
  test.db
    .insertInto('post_likes')
    .values(people.map((user_id) => ({ post_id, user_id, created_at: daysAgo(days) })))
    .execute()
const favor = (business_id: string, people: string[], days = 0.5) =>
  test.db
    .insertInto('favorites')
    .values(people.map((user_id) => ({ id: newId(), business_id, user_id, created_at: daysAgo(days) })))
    .execute()
const follow = (business_id: string, people: string[], is_implied = false) =>
  test.db
    .insertInto('business_follows')
    .values(people.map((user_id) => ({ business_id, user_id, is_implied, created_at: daysAgo(0.5) })))
    .execute()
const comment = (post_id: string, author_id: string, isDeleted = false) =>
  test.db
    .insertInto('comments')
    .values({ id: newId(), post_id, author_id, content: isDeleted ? '' : 'Said', is_deleted: isDeleted, created_at: daysAgo(0.5) })
    .execute()
const review = (business_id: string, people: string[], rating = 5) =>
  test.db
    .insertInto('reviews')
    .values(people.map((user_id) => ({ id: newId(), business_id, user_id, rating, created_at: daysAgo(0.5) })))
    .execute()

it('shows everyone the three businesses with the most engagement and the reason for each, or none if there is no engagement', async () => {
  await compute()
  expect(await trending()).toEqual([])
  const businesses = await Promise.all(['A', 'B', 'C', 'D'].map((name) => addBusiness(test.db, { name, is_demo: name === 'A' })))
  const [a, b, c, d] = businesses.map((each) => each.id) as [string, string, string, string]
  await like(await addPost(a), crowd.slice(0, 12))
  // Each person counts once, no matter how many posts they like.
  await like(await addPost(a), crowd.slice(0, 5))
  await like(await addPost(a), crowd.slice(0, 5), 9)
  await review(b, crowd.slice(0, 2))
  await favor(c, crowd.slice(0, 3))
  await favor(d, crowd.slice(0, 1))
  await compute()
  expect((await trending()).map(({ name, reason, isDemo }) => [name, reason, isDemo])).toEqual([
    ['A', '12 people liked its posts this week', true],
    ['B', '2 new reviews this week', false],
    ['C', '3 new favorites this week', false],
  ])
  await test.db.deleteFrom('post_likes').execute()
  await compute()
  expect((await trending()).map((each) => each.name)).toEqual(['B', 'C', 'D'])
})

it('shows nearby trending businesses if there are at least three, however small, and marks them as nearby', async () => {
  const add = async (name: string, fans: number, place = {}) => {
    const { id } = await addBusiness(test.db, { name, ...place })
    await favor(id, crowd.slice(0, fans))
  }
  for (let i = 0; i < 110; i++) await add(`Elsewhere ${i}`, 4, { pin_latitude: 45.5, pin_longitude: -122.6, pin_precision: 'premise' })
  await add('First', 3, inDenver)
  await add('Second', 2, { ...inDenver, pin_latitude: 40.0 })
  await compute()
  const isElsewhere = expect.stringMatching('Elsewhere')
  expect((await trending(null, nearDenver)).map(({ name, isNearby }) => [name, isNearby])).toEqual(Array(3).fill([isElsewhere, false]))
  await add('Third', 1, inDenver)
  await compute()
  expect((await trending(null, nearDenver)).map(({ name, isNearby }) => [name, isNearby])).toEqual([
    ['First', true],
    ['Second', true],
    ['Third', true],
  ])
  expect((await trending()).map(({ name, isNearby }) => [name, isNearby])).toEqual(Array(3).fill([isElsewhere, false]))
  expect((await test.request('GET', '/api/trending?near=my%20basement')).statusCode).toBe(400)
})

it('leaves out blocked businesses only for the person who blocked them', async () => {
  const ids: string[] = []
  for (const n of [4, 3, 2, 1]) {
    const { id } = await addBusiness(test.db)
    await favor(id, crowd.slice(0, n))
    ids.push(id)
  }
  await compute()
  await test.request('PUT', `/api/businesses/${ids[0]}/block`, me)
  expect((await trending(me)).map((each) => each.id)).toEqual(ids.slice(1))
  expect((await trending()).map((each) => each.id)).toEqual(ids.slice(0, 3))
})

it('weighs actions by kind, halves their weight every half-life, and ignores those before the window', async () => {
  const ids: Record<string, string> = {}
  for (const name of ['fresh', 'old', 'older', 'gone']) ids[name] = (await addBusiness(test.db, { name })).id
  await favor(ids.fresh as string, crowd.slice(0, 1), 0)
  await favor(ids.old as string, crowd.slice(0, 1), halfLifeDays)
  await favor(ids.older as string, crowd.slice(0, 1), 2 * halfLifeDays + 5)
  await favor(ids.gone as string, crowd.slice(0, 1), windowDays + 0.01)
  await compute()
  const found = await scores()
  expect(found.map((row) => row.business_id)).toEqual([ids.fresh, ids.old, ids.older])
  expect(found[0]?.score).toBeCloseTo(trendWeights.favorite, 3)
  expect(found[1]?.score).toBeCloseTo(trendWeights.favorite / 2, 3)
  expect((await trending())[2]?.reason).toBe('1 new favorite in the last two weeks')

  await test.db.deleteFrom('favorites').execute()
  const { id } = await addBusiness(test.db)
  const post = await addPost(id)
  const [one] = crowd.slice(1) as [string]
  await comment(post, one)
  await compute()
  const half = 0.5 ** (0.5 / halfLifeDays)
  expect((await scores())[0]?.score).toBeCloseTo(trendWeights.comment * half, 3)
})

it('counts a person once per kind and business, and never counts the team', async () => {
  const alone = (await addBusiness(test.db, { name: 'Alone' })).id
  const staffed = (await addBusiness(test.db, { name: 'Staffed' })).id
  const liked = (await addBusiness(test.db, { name: 'Liked' })).id
  const [fan, owner, staff, ...others] = crowd as [string, string, string, ...string[]]
  for (let i = 0; i < 30; i++) {
    const post = await addPost(alone)
    await like(post, [fan])
    await comment(post, fan)
  }
  await test.db
    .insertInto('business_members')
    .values([
      { business_id: staffed, user_id: owner, role: 'owner' },
      { business_id: staffed, user_id: staff, role: 'staff' },
    ])
    .execute()
  const post = await addPost(staffed, owner)
  await like(post, [owner, staff])
  await comment(post, staff)
  await favor(staffed, [owner])
  await follow(staffed, [owner, staff])
  await review(staffed, [staff])
  await like(await addPost(liked), others.slice(0, 6))
  await compute()
  expect((await trending()).map((each) => each.name)).toEqual(['Liked', 'Alone'])
  const half = 0.5 ** (0.5 / halfLifeDays)
  expect((await scores())[1]?.score).toBeCloseTo((trendWeights.like + trendWeights.comment) * half, 3)
})

it('doesn’t count banned people', async () => {
  const pushed = (await addBusiness(test.db, { name: 'Pushed' })).id
  const liked = (await addBusiness(test.db, { name: 'Liked' })).id
  const banned = await addPeople(test.db, 6)
  await follow(pushed, banned)
  await follow(liked, crowd.slice(0, 1))
  await test.db.updateTable('users').set({ banned_at: test.clock.now() }).where('id', 'in', banned).execute()
  await compute()
  expect((await trending()).map(({ name }) => name)).toEqual(['Liked'])
})

it('doesn’t count following again within two weeks as a new follower', async () => {
  const person = await test.signUp()
  const { id } = await addBusiness(test.db, { name: 'Followed Twice' })
  const change = (method: 'PUT' | 'DELETE') => test.request(method, `/api/businesses/${id}/follow`, person)
  const reason = async () => {
    await compute()
    return (await trending())[0]?.reason
  }
  await change('PUT')
  expect(await reason()).toBe('1 new follower this week')
  test.clock.advance({ days: 10 })
  await change('DELETE')
  await change('PUT')
  expect(await reason()).toBe('1 new follower in the last two weeks')
  await change('DELETE')
  test.clock.advance({ days: 15 })
  await compute()
  await change('PUT')
  expect(await reason()).toBe('1 new follower this week')
})

it('can’t be bought: ignores subscriptions, their follows, plans, and payments', async () => {
  const paid = (await addBusiness(test.db, { name: 'Subscribed to' })).id
  const free = (await addBusiness(test.db, { name: 'Followed' })).id
  await test.request('POST', '/api/subscriptions', me, { businessId: paid })
  await test.db
    .insertInto('subscriptions')
    .values(crowd.map((user_id) => ({ user_id, business_id: paid })))
    .execute()
  await follow(paid, crowd, true)
  await follow(free, crowd.slice(0, 1))
  await compute()
  expect((await trending()).map(({ name, reason }) => [name, reason])).toEqual([['Followed', '1 new follower this week']])
  const { sql: text } = trendsQuery(test.clock.now()).compile(test.db)
  const tables = [...text.matchAll(/(?:from|join)\s+([a-z_]+)/g)].map((match) => match[1])
  expect(new Set(tables)).toEqual(
    new Set([
      ...['post_likes', 'posts', 'comments', 'business_follows', 'favorites', 'reviews', 'business_members'],
      // The statement's CTEs.
      ...['engagement', 'people', 'kinds', 'totals', 'placed', 'best'],
      // Read only for their pins.
      'businesses',
      // Read only for bans.
      'users',
    ]),
  )
})

/** Makes every read of likes do `work` (SQL) first while `run` is running. */
async function withSlowLikes(work: string, run: () => Promise<void>): Promise<void> {
  await sql
    .raw(`alter table post_likes rename to all_likes;
      create view post_likes as with work as materialized (select ${work}) select all_likes.* from work, all_likes`)
    .execute(test.db)
  await run().finally(() => sql.raw('drop view post_likes; alter table all_likes rename to post_likes').execute(test.db))
}

it('may take longer than other statements if the site is large', async () => {
  const { id } = await addBusiness(test.db)
  await like(await addPost(id), crowd.slice(0, 2))
  const impatient = connect(
    test.ctx.config.databaseUrl as string,
    { databasePoolSize: 1, statementTimeoutMs: 500, lockTimeoutMs: 500 },
    { warn() {} },
  )
  await withSlowLikes('pg_sleep(0.8)', () => computeTrends({ db: impatient.db, clock: test.clock })).finally(impatient.close)
  expect(await scores()).toMatchObject([{ business_id: id }])
})

it('forgets ended follows after two weeks even if trends can’t be computed', async () => {
  const { id: business_id } = await addBusiness(test.db)
  const follows = [13, 15].map((days, n) => ({ user_id: crowd[n] as string, followed_at: daysAgo(20), ended_at: daysAgo(days) }))
  await test.db
    .insertInto('ended_follows')
    .values(follows.map((row) => ({ ...row, business_id })))
    .execute()
  await withSlowLikes('1 / (now() < now())::int', () => expect(computeTrends(test.ctx)).rejects.toThrow('division by zero'))
  expect(await test.db.selectFrom('ended_follows').select('user_id').execute()).toEqual([{ user_id: crowd[0] }])
})

it('leaves out deleted comments and personal posts', async () => {
  const { id } = await addBusiness(test.db)
  await comment(await addPost(id), crowd[3] as string, true)
  const own = newId()
  await test.db
    .insertInto('posts')
    .values({ id: own, author_id: crowd[0] as string, title: 'Mine', content: 'Words' })
    .execute()
  await like(own, crowd.slice(1, 9))
  await compute()
  expect(await scores()).toEqual([])
})

it('shows no trending businesses once the counts are more than a day old', async () => {
  const { id } = await addBusiness(test.db)
  await favor(id, crowd.slice(0, 2))
  await compute()
  expect(await trending()).toHaveLength(1)
  const before = test.clock.now()
  test.clock.advance({ hours: 25 })
  expect(await trending()).toEqual([])
  test.clock.set(before)
})

it('features the four best-rated businesses with enough reviews', async () => {
  const rated = (name: string, counts: number[]) =>
    addBusiness(test.db, {
      name,
      rating_counts: counts,
      total_ratings: counts.reduce((sum, count) => sum + count, 0),
      rating_sum: counts.reduce((sum, count, i) => sum + count * (i + 1), 0),
    })
  await rated('Four fives', [0, 0, 0, 0, 4])
  await rated('Five fours', [0, 0, 0, 5, 0])
  await rated('Five fives', [0, 0, 0, 0, 5])
  test.ctx.cache.invalidate('businesses')
  expect((await featured()).map((each) => each.name)).toEqual(['Five fives', 'Five fours'])
  await rated('Hundred', [0, 0, 0, 20, 80])
  await rated('Five threes', [0, 0, 5, 0, 0])
  await rated('Five ones', [5, 0, 0, 0, 0])
  test.ctx.cache.invalidate('businesses')
  expect((await featured()).map((each) => each.name)).toEqual(['Hundred', 'Five fives', 'Five fours', 'Five threes'])
})

it('features nearby businesses if at least three have enough reviews, and marks them as nearby', async () => {
  const rated = (name: string, stars: number, place = {}) =>
    addBusiness(test.db, {
      name,
      rating_counts: [1, 2, 3, 4, 5].map((each) => (each === stars ? 5 : 0)),
      total_ratings: 5,
      rating_sum: 5 * stars,
      ...place,
    })
  const oregon = { city: 'Portland', state: 'OR', pin_latitude: 45.5, pin_longitude: -122.6, pin_precision: 'premise' } as const
  await rated('Best', 5, oregon)
  await rated('Here', 4, inDenver)
  await rated('Also here', 3, inDenver)
  test.ctx.cache.invalidate('businesses')
  expect((await featured(nearDenver)).map(({ name, isNearby }) => [name, isNearby])).toEqual([
    ['Best', false],
    ['Here', false],
    ['Also here', false],
  ])
  await rated('Here, too', 2, inDenver)
  test.ctx.cache.invalidate('businesses')
  for (const near of [nearDenver, '?near=Colorado']) {
    expect((await featured(near)).map(({ name, isNearby }) => [name, isNearby])).toEqual([
      ['Here', true],
      ['Also here', true],
      ['Here, too', true],
    ])
  }
  expect((await featured())[0]).toMatchObject({ name: 'Best', isNearby: false })
})

it('counts only the signed-in person’s own actions', async () => {
  const activity = async (as: TestPerson | null) => (await test.request('GET', '/api/activity', as)).json()
  const person = await test.signUp()
  expect(await activity(person)).toEqual({ likes: 0, comments: 0, reviews: 0, favorites: 0, hiddenFollows: 0 })
  const { id } = await addBusiness(test.db)
  const post = await addPost(id)
  await like(post, [person.user.id])
  await like(await addPost(id), [person.user.id])
  await comment(post, person.user.id)
  await comment(post, person.user.id, true)
  await review(id, [person.user.id, ...crowd])
  await favor(id, [person.user.id])
  expect(await activity(person)).toEqual({ likes: 2, comments: 1, reviews: 1, favorites: 1, hiddenFollows: 0 })
  await test.request('PUT', `/api/businesses/${id}/follow`, person)
  await test.db.updateTable('businesses').set({ moderation: 'hidden' }).where('id', '=', id).execute()
  expect(await activity(person)).toMatchObject({ favorites: 0, hiddenFollows: 1 })
  expect((await test.request('GET', '/api/activity')).statusCode).toBe(401)
})

it('reads only two weeks of two years of likes, from their time index', async () => {
  await sql`
    insert into businesses (id, slug, name, type)
    select gen_random_uuid(), 'many-' || n, 'Many ' || n, 'farm' from generate_series(1, 2000) n`.execute(test.db)
  await sql`
    insert into users (id, email, first_name, last_name) select gen_random_uuid(), 'many-' || n || '@example.com', 'M', 'N'
    from generate_series(1, 10000) n`.execute(test.db)
  await sql`
    insert into posts (id, author_id, business_id, title, content)
    select gen_random_uuid(), ${crowd[0]}, b.id, 'T', 'C' from businesses b, generate_series(1, 10)`.execute(test.db)
  for (let likes = 0; likes < 2; likes++) {
    await sql`
      insert into post_likes (post_id, user_id, created_at)
      select p.id, u.id, ${test.clock.now()}::timestamptz - make_interval(secs => random() * 2 * 365 * 86400)
      from (select id, row_number() over (order by id) as n from posts) p
        join (select id, row_number() over (order by id) - 1 as n from users) u on u.n = (p.n + ${likes * 101}) % 10000`.execute(test.db)
  }
  await sql`analyze`.execute(test.db)
  const plan = await explain(trendsQuery(test.clock.now()))
  expect(plan.text).toContain('post_likes_by_age')
  expect(plan.text).not.toContain('Seq Scan on post_likes')
  expect(plan.ms).toBeLessThan(3000)
  await compute()
  expect(await trending()).toHaveLength(3)
  expect(
    (await explain(sql`select id from businesses where total_ratings >= 5 order by rating_score desc, id desc limit 4`)).text,
  ).toContain('businesses_featured')
}, 120_000)

async function explain(query: RawBuilder<unknown>): Promise<{ text: string; ms: number }> {
  const { rows } = await sql<{ 'QUERY PLAN': string }>`explain (analyze, buffers) ${query}`.execute(test.db)
  const text = rows.map((row) => row['QUERY PLAN']).join('\n')
  return { text, ms: Number(/Execution Time: ([\d.]+) ms/.exec(text)?.[1]) }
}
