import { setTimeout as sleep } from 'node:timers/promises'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { type ReplicatedCluster, startReplicatedCluster } from './replicated-cluster.ts'
import { startTestApp, type TestApp, type TestPerson } from './test-app.ts'

export type ReplicatedNodes = {
  cluster: ReplicatedCluster
  /** Two complete instances of the application, on the same primary and replicas. */
  nodes: readonly [TestApp, TestApp]
  /** Both nodes' reads so far: those from a replica, and those from the primary that a replica might have served. */
  reads(): { replicas: number; primary: number }
  remove(): Promise<void>
}

export async function startReplicatedNodes(options: Parameters<typeof startTestApp>[0] = {}): Promise<ReplicatedNodes> {
  const cluster = await startReplicatedCluster()
  const start = () => startTestApp({ ...options, database: cluster.openNode() })
  const nodes = [await start(), await start()] as const
  return {
    cluster,
    nodes,
    reads() {
      const counts = nodes.flatMap(({ ctx }) => [...ctx.reads.counts()])
      const sumOf = (isOfPrimary: boolean) =>
        counts.filter(([name]) => (name === 'primary') === isOfPrimary).reduce((sum, [, count]) => sum + count, 0)
      return { replicas: sumOf(false), primary: sumOf(true) }
    },
    async remove() {
      for (const node of nodes) await node.close()
      await cluster.remove()
    },
  }
}

/** A node in this process or another. */
export type AskedNode = {
  app: { inject(request: InjectOptions): Promise<Pick<LightMyRequestResponse, 'statusCode' | 'headers' | 'cookies' | 'body' | 'json'>> }
}

export type Browser = {
  /** Sends the person's cookies, and the last cookie `written` that it received. With `isForgetful`, `written` isn't sent. */
  call(
    node: AskedNode,
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    payload?: object,
    options?: { isForgetful?: boolean },
  ): ReturnType<AskedNode['app']['inject']>
}

export function openBrowser(person: Pick<TestPerson, 'cookie'> | null): Browser {
  let written = ''
  return {
    async call(node, method, url, payload, { isForgetful = false } = {}) {
      const cookie = [person?.cookie, isForgetful ? '' : written].filter(Boolean).join('; ')
      const request: InjectOptions = { method, url, headers: cookie ? { cookie } : {}, ...(payload ? { payload } : {}) }
      const answer = await node.app.inject(request)
      const set = answer.cookies.find(({ name }) => name === 'written')
      if (set) written = `written=${set.value}`
      return answer
    },
  }
}

type Pairs = {
  people: readonly Pick<TestPerson, 'cookie'>[]
  /** Rounds of a write and its reads, per person. */
  rounds: number
  isForgetful?: boolean
}

type PairedNodes = { nodes: readonly [AskedNode, AskedNode]; reads: ReplicatedNodes['reads'] }

/**
 * Each person adds or removes a favorite on one node and reads the list on the other, immediately and a moment later. Returns how many
 * reads didn't show the write.
 */
export async function runPairs({ nodes, reads }: PairedNodes, businessId: string, { people, rounds, isForgetful = false }: Pairs) {
  const before = reads()
  let stale = 0
  const run = async (person: Pick<TestPerson, 'cookie'>) => {
    const browser = openBrowser(person)
    const read = async (node: AskedNode) =>
      ((await browser.call(node, 'GET', '/api/favorites', undefined, { isForgetful })).json() as []).length
    // Until this browser writes, its list may be stale.
    await browser.call(nodes[0], 'DELETE', `/api/favorites/${businessId}`)
    for (let round = 1; round <= rounds; round++) {
      const isAdded = round % 2 === 1
      const writer = Math.random() < 0.5 ? 0 : 1
      const answer = isAdded
        ? await browser.call(nodes[writer], 'POST', '/api/favorites', { businessId })
        : await browser.call(nodes[writer], 'DELETE', `/api/favorites/${businessId}`)
      if (answer.statusCode !== 200) throw new Error(`The write failed: ${answer.body}`)
      for (const waitMs of [0, Math.random() * 250]) {
        await sleep(waitMs)
        if ((await read(nodes[1 - writer] as AskedNode)) !== Number(isAdded)) stale++
      }
    }
  }
  await Promise.all(people.map(run))
  const after = reads()
  return { stale, reads: { replicas: after.replicas - before.replicas, primary: after.primary - before.primary } }
}
