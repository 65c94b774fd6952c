import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import { type AppNode, startNode } from './nodes.ts'

/** Nodes stay ready this long without a writable database. The check waits a little longer. */
const graceMs = 30_000
const patienceMs = 10_000

type Readyz = { status: number; database?: string }

/**
 * Checks `/readyz` of nodes whose DATABASE_URL names a server instead of the primary, after that server becomes a replica and so read-only.
 * A node without other replicas stops being ready after half a minute; a node with replicas doesn't.
 */
export async function checkReadiness(
  cluster: Cluster,
  site: { folder: string; smtpUrl: string },
  ports: readonly [number, number],
): Promise<string[]> {
  const faults: string[] = []
  const leader = await cluster.settle()
  const url = cluster.replicaUrls.find((each) => new URL(each).hostname === leader.address) ?? ''
  const env = { DATABASE_URL: url, JOBS: 'off' }
  const nodes: AppNode[] = []
  try {
    const alone = await startNode('node-alone', ports[0], site, env)
    nodes.push(alone)
    const served = await startNode('node-served', ports[1], site, { ...env, DATABASE_REPLICA_URLS: cluster.replicaUrls.join(',') })
    nodes.push(served)
    const expectState = async (node: AppNode, wanted: Readyz, when: string) => {
      const { status, database } = await readyz(node)
      if (status !== wanted.status || database !== wanted.database)
        faults.push(`/readyz ${when}: ${status} ${database} instead of ${wanted.status} ${wanted.database}`)
    }
    await expectState(alone, { status: 200, database: 'writable' }, 'at the primary')
    await cluster.switchOver(leader)
    const start = performance.now()
    await cluster.settle()
    await expectState(alone, { status: 200, database: 'read-only' }, 'on a read-only server, at first')
    let isOut = false
    while (performance.now() - start < graceMs + patienceMs) {
      isOut ||= (await readyz(alone)).status === 503
      await expectState(served, { status: 200, database: 'read-only' }, 'on a read-only server with replicas')
      await sleep(1000)
    }
    if (!isOut) faults.push('/readyz was still ready on a read-only server without replicas.')
    await expectState(alone, { status: 503, database: 'read-only' }, 'on a read-only server, later')
  } finally {
    await Promise.all(nodes.map((node) => node.stop()))
  }
  return [...new Set(faults)]
}

async function readyz({ origin }: AppNode): Promise<Readyz> {
  const answer = await fetch(`${origin}/readyz`)
  const { database } = (await answer.json()) as { database?: string }
  return { status: answer.status, ...(database ? { database } : {}) }
}
