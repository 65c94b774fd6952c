import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { addBusiness } from '#tests/support/businesses.ts'
import { openBrowser, type ReplicatedNodes, runPairs, startReplicatedNodes } from '#tests/support/replicated-nodes.ts'

let site: ReplicatedNodes
let shop: { id: string; slug: string }
const usedBy = (node: 0 | 1) => site.nodes[node].ctx.reads.replicas().flatMap(({ name, isUsed }) => (isUsed ? [name] : []))
beforeEach(async () => {
  site = await startReplicatedNodes()
  shop = await addBusiness(site.nodes[0].db, { name: 'Cedar Hill' })
  await site.cluster.catchUp()
  await expect
    .poll(() => [usedBy(0), usedBy(1)])
    .toEqual([
      ['1', '2'],
      ['1', '2'],
    ])
})
afterEach(async () => {
  vi.restoreAllMocks()
  await site.remove()
})

test('has no stale read after 10,000 writes, on replicas that replay late or pause', { timeout: 600_000 }, async () => {
  const people = await Promise.all(Array.from({ length: 40 }, () => site.nodes[0].signUp()))
  await site.cluster.replayLate(60)
  const [first] = site.cluster.replicas
  let isOver = false
  const pausing = (async () => {
    while (!isOver) {
      await first.administer('select pg_wal_replay_pause()')
      await sleep(400)
      await first.administer('select pg_wal_replay_resume()')
      await sleep(1_600)
    }
  })()
  const { stale, reads } = await runPairs(site, shop.id, { people, rounds: 250 })
  isOver = true
  await pausing
  console.log(`10,000 writes, 20,000 reads: ${reads.replicas} on replicas, ${reads.primary} on the primary, ${stale} stale`)
  expect(stale).toBe(0)
  expect(reads.replicas).toBeGreaterThan(1_000)
})

test('skips a replica that lags by more than ten seconds, and uses it again once it has caught up', async () => {
  const [lagging] = site.cluster.replicas
  const visitor = openBrowser(null)
  const browser = openBrowser(await site.nodes[0].signUp())
  await lagging.administer('select pg_wal_replay_pause()')
  const start = performance.now()
  await browser.call(site.nodes[0], 'POST', '/api/favorites', { businessId: shop.id })
  await sleep(8_000)
  expect(usedBy(0)).toEqual(['1', '2'])
  await expect.poll(() => usedBy(0), { interval: 50 }).toEqual(['2'])
  expect(performance.now() - start).toBeGreaterThan(9_800)
  expect(performance.now() - start).toBeLessThan(11_000)
  expect((await visitor.call(site.nodes[0], 'GET', '/api/trending')).statusCode).toBe(200)
  await lagging.administer('select pg_wal_replay_resume()')
  await expect.poll(() => usedBy(0)).toEqual(['1', '2'])
})

test('drops a killed replica within a second without visitors noticing', async () => {
  const url = `/api/businesses/${shop.id}/ratings`
  const visitor = openBrowser(null)
  let isOver = false
  const statuses = new Set<number>()
  const reading = Promise.all(
    site.nodes.map(async (node) => {
      while (!isOver) statuses.add((await visitor.call(node, 'GET', url)).statusCode)
    }),
  )
  await sleep(200)
  site.cluster.replicas[1].signal('SIGKILL')
  const start = performance.now()
  await expect.poll(() => [usedBy(0), usedBy(1)], { interval: 10 }).toEqual([['1'], ['1']])
  expect(performance.now() - start).toBeLessThan(1_000)
  isOver = true
  await reading
  expect(statuses).toEqual(new Set([200]))
})

test('serves public reads without a primary, refuses writes with 503, and writes again after the failover', async () => {
  const [node, other] = site.nodes
  const person = await node.signUp()
  const browser = openBrowser(person)
  const visitor = openBrowser(null)
  const favorite = (at = node) => browser.call(at, 'POST', '/api/favorites', { businessId: shop.id })
  expect((await favorite()).statusCode).toBe(200)
  await site.cluster.catchUp()
  site.cluster.primary.signal('SIGKILL')

  for (let i = 0; i < 10; i++) {
    const refused = await favorite(site.nodes[i % 2])
    expect(refused.statusCode).toBe(503)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    for (const url of [`/api/businesses/${shop.id}`, '/api/businesses', `/api/businesses/${shop.id}/ratings`, '/api/trending']) {
      const answer = await visitor.call(site.nodes[i % 2] ?? node, 'GET', url)
      expect([url, answer.statusCode]).toEqual([url, 200])
    }
    await sleep(100)
  }
  // Move the clock well past the half minute during which any node counts as ready.
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 60_000)
  const ready = async () => {
    const answer = await node.app.inject('/readyz')
    return { code: answer.statusCode, ...answer.json() }
  }
  expect(await ready()).toEqual({ code: 200, status: 'ready', database: 'unreachable' })

  await site.cluster.failOver()
  const start = now()
  const isBack = async () => (await favorite(other)).statusCode
  await expect.poll(isBack, { interval: 20 }).toBe(200)
  expect(now() - start).toBeLessThan(2_000)
  await expect.poll(ready).toEqual({ code: 200, status: 'ready', database: 'writable' })
  // The new primary isn't used as a replica, but the other server is, as soon as it follows the new primary.
  await expect.poll(() => [usedBy(0), usedBy(1)]).toEqual([['2'], ['2']])
  expect((await browser.call(node, 'GET', '/api/favorites')).json()).toHaveLength(1)
  const people = await Promise.all(Array.from({ length: 4 }, () => node.signUp()))
  expect((await runPairs(site, shop.id, { people, rounds: 10 })).stale).toBe(0)
})
