import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addBusiness, ratedBy } from '#tests/support/businesses.ts'
import { type Browser, openBrowser, type ReplicatedNodes, runPairs, startReplicatedNodes } from '#tests/support/replicated-nodes.ts'
import type { TestApp, TestPerson } from '#tests/support/test-app.ts'

const declared: string[] = []
let site: ReplicatedNodes
let [one, other] = [] as unknown as [TestApp, TestApp]
let shop: { id: string; slug: string }
let owner: TestPerson
beforeAll(async () => {
  site = await startReplicatedNodes({
    onRoute: (method, url, config) => {
      if (config?.replicaFor) declared.push(`${method} ${url} ${config.replicaFor}`)
    },
  })
  ;[one, other] = site.nodes
  owner = await one.signUp()
  shop = await addBusiness(one.db, { name: 'Cedar Hill', claimed_at: new Date(), ...ratedBy(0, 0, 0, 1, 5) })
  await one.db.insertInto('business_members').values({ business_id: shop.id, user_id: owner.user.id, role: 'owner' }).execute()
})
afterAll(() => site?.remove())

const areUsed = () => site.nodes.map(({ ctx }) => ctx.reads.replicas().every(({ isUsed }) => isUsed))
beforeEach(() => expect.poll(areUsed).toEqual([true, true]))

/** Pauses replay on the replicas until `run` is done. */
async function paused<Answer>(replicas: readonly (0 | 1)[], run: () => Promise<Answer>): Promise<Answer> {
  const tell = (statement: string) => Promise.all(replicas.map((i) => site.cluster.replicas[i].administer(statement)))
  await site.cluster.catchUp()
  await tell('select pg_wal_replay_pause()')
  try {
    return await run()
  } finally {
    await tell('select pg_wal_replay_resume()')
  }
}

test('lets only the listed calls read from a replica', () => {
  expect([...new Set(declared)].filter((call) => !call.startsWith('HEAD ')).sort()).toEqual([
    'GET /api/activity anyone',
    'GET /api/businesses anyone',
    'GET /api/businesses/:id anyone',
    'GET /api/businesses/:id/menu visitors',
    'GET /api/businesses/:id/page-extras visitors',
    'GET /api/businesses/:id/products visitors',
    'GET /api/businesses/:id/ratings visitors',
    'GET /api/businesses/:id/ratings/summary visitors',
    'GET /api/businesses/map anyone',
    'GET /api/claims/candidates anyone',
    'GET /api/favorites anyone',
    'GET /api/featured anyone',
    'GET /api/moderation-log anyone',
    'GET /api/moderation-log/counts anyone',
    'GET /api/products/:id visitors',
    'GET /api/trending visitors',
  ])
})

/** The shop as each list shows it, read by this browser from a node. */
async function readAll(browser: Browser, node: TestApp) {
  const get = async (url: string) => {
    const answer = await browser.call(node, 'GET', url)
    expect([url, answer.statusCode]).toEqual([url, 200])
    return answer.json()
  }
  type Shop = { id: string; description: string; totalRatings: number }
  const find = (list: Shop[]) => list.find(({ id }) => id === shop.id)
  const favorites = (await get('/api/favorites')) as { business: Shop }[]
  const page = await get(`/api/businesses/${shop.id}`)
  const listed = find(await get('/api/businesses?limit=50'))
  const featured = find(await get('/api/featured'))
  return {
    descriptions: [page, listed, featured, ...favorites.map(({ business }) => business)].map((each) => each?.description),
    ratings: [page, listed, featured].map((each) => each?.totalRatings),
    favorites: favorites.length,
    activity: await get('/api/activity'),
  }
}

test.each([
  ['one replica', [0]],
  ['every replica', [0, 1]],
] as const)('shows people their own writes immediately, on any node, while %s is paused', async (_name, replicas) => {
  const person = await one.signUp()
  const browser = openBrowser(person)
  const owners = openBrowser(owner)
  const description = `Open since ${replicas.length} o’clock`
  await paused(replicas, async () => {
    const { totalRatings } = (await browser.call(one, 'GET', `/api/businesses/${shop.id}`)).json()
    expect((await owners.call(one, 'PATCH', `/api/businesses/${shop.id}`, { description })).statusCode).toBe(200)
    expect((await browser.call(other, 'POST', '/api/favorites', { businessId: shop.id })).statusCode).toBe(200)
    expect((await browser.call(one, 'PUT', `/api/businesses/${shop.id}/rating`, { rating: 5 })).statusCode).toBe(200)
    for (let round = 0; round < 5; round++) {
      for (const node of site.nodes) {
        const seen = await readAll(browser, node)
        expect(seen).toMatchObject({
          descriptions: Array(4).fill(description),
          ratings: Array(3).fill(totalRatings + 1),
          favorites: 1,
          activity: { favorites: 1, reviews: 1 },
        })
      }
      await sleep(60)
    }
    // Others are still served by the replicas.
    const before = site.reads()
    for (let i = 0; i < 10; i++) {
      const answer = await openBrowser(null).call(site.nodes[i % 2] as TestApp, 'GET', `/api/businesses/${shop.id}/ratings`)
      expect(answer.statusCode).toBe(200)
    }
    expect(site.reads()).toEqual({ replicas: before.replicas + 10, primary: before.primary })
  })
})

test('shows everyone on a node that node’s own writes, even if a replica lacks them', async () => {
  const owners = openBrowser(owner)
  const visitor = openBrowser(null)
  await paused([0, 1], async () => {
    await visitor.call(one, 'GET', `/api/businesses/${shop.id}`)
    await owners.call(one, 'PATCH', `/api/businesses/${shop.id}`, { description: 'Open again' })
    for (let i = 0; i < 5; i++) {
      expect((await visitor.call(one, 'GET', `/api/businesses/${shop.id}`)).json().description).toBe('Open again')
      await sleep(60)
    }
  })
})

test('finds a row that someone else has just created, even if replicas lack it', async () => {
  await paused([0, 1], async () => {
    const { slug } = await addBusiness(one.db, { name: 'Opened a moment ago' })
    expect((await openBrowser(null).call(one, 'GET', `/api/businesses/${slug}/ratings/summary`)).statusCode).toBe(200)
  })
})

test('never serves members from a replica if the response depends on blocks or subscriptions', async () => {
  const browser = openBrowser(await one.signUp())
  await site.cluster.catchUp()
  const before = site.reads()
  for (const call of declared.filter((each) => /^GET .* visitors$/.test(each))) {
    const url = (call.split(' ')[1] as string).replace(':id', shop.id)
    expect([call, (await browser.call(one, 'GET', url)).statusCode]).toEqual([call, url.includes('/products/') ? 404 : 200])
  }
  expect(site.reads()).toEqual(before)
})

test('has no stale read after a write, on replicas that replay late', async () => {
  const people = await Promise.all(Array.from({ length: 8 }, () => one.signUp()))
  await site.cluster.replayLate(80)
  const { stale, reads } = await runPairs(site, shop.id, { people, rounds: 15 })
  expect(stale).toBe(0)
  expect(reads.replicas).toBeGreaterThan(0)
  // Without its cookie, a browser sees stale lists here.
  expect((await runPairs(site, shop.id, { people, rounds: 5, isForgetful: true })).stale).toBeGreaterThan(0)
})
