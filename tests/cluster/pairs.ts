import { signUp } from '#bench/sign-in.ts'
import { type AskedNode, runPairs } from '#tests/support/replicated-nodes.ts'
import type { Cluster } from './cluster.ts'
import type { AppNode } from './nodes.ts'

const pairPeople = 40

/** Each person writes on one node and reads on the other while replay on the replicas is delayed. */
export async function checkPairs(cluster: Cluster, nodes: readonly [AppNode, AppNode], businessId: string, pairs: number) {
  const faults: string[] = []
  const people = await Promise.all(
    Array.from({ length: pairPeople }, async (_, i) => ({ cookie: await signUp(nodes[0].origin, `pair.${i}`) })),
  )
  const readsOfReplicas = async () => {
    const counts = await Promise.all(nodes.map((node) => node.metric('database_reads_total')))
    return counts
      .flatMap((byServer) => [...byServer])
      .filter(([labels]) => !labels.includes('primary'))
      .reduce((sum, [, count]) => sum + count, 0)
  }
  const reads = () => ({ replicas: 0, primary: 0 })
  const asked = nodes.map(askedOver) as [AskedNode, AskedNode]
  const rounds = Math.max(1, Math.ceil(pairs / pairPeople))
  const reload = 'select pg_reload_conf()'
  await cluster.administer('replicas', `alter system set recovery_min_apply_delay = '60ms'`, reload)
  const before = await readsOfReplicas()
  const start = performance.now()
  const { stale } = await runPairs({ nodes: asked, reads }, businessId, { people, rounds })
  const seconds = (performance.now() - start) / 1000
  const fromReplicas = (await readsOfReplicas()) - before
  // Without the cookie, some reads must be stale. If none were, the check couldn't detect stale reads.
  await cluster.administer('replicas', `alter system set recovery_min_apply_delay = '500ms'`, reload)
  let staleWithoutCookie = 0
  for (let tries = 0; tries < 5 && staleWithoutCookie === 0; tries++)
    staleWithoutCookie = (await runPairs({ nodes: asked, reads }, businessId, { people, rounds: 5, isForgetful: true })).stale
  await cluster.administer('replicas', 'alter system reset recovery_min_apply_delay', reload)
  const writes = rounds * pairPeople
  if (stale > 0) faults.push(`${stale} of ${2 * writes} reads after a write were stale`)
  if (staleWithoutCookie === 0) faults.push('no read was stale even without the cookie, so the check says nothing')
  if (fromReplicas < writes / 10) faults.push(`replicas served only ${fromReplicas} of ${2 * writes} reads`)
  console.log(
    `${writes} writes, ${2 * writes} reads in ${seconds.toFixed(0)} s, ${fromReplicas} from replicas: ${stale} stale; ` +
      `without the cookie, ${staleWithoutCookie} of ${10 * pairPeople}`,
  )
  return { writes, reads: 2 * writes, fromReplicas, stale, staleWithoutCookie, seconds, faults }
}

const askedOver = ({ origin }: AppNode): AskedNode => ({
  app: {
    async inject({ method = 'GET', url, headers, payload }) {
      const answer = await fetch(`${origin}${url}`, {
        method,
        headers: { ...(headers as Record<string, string>), ...(payload ? { 'content-type': 'application/json' } : {}) },
        ...(payload ? { body: JSON.stringify(payload) } : {}),
      })
      const body = await answer.text()
      const cookies = answer.headers.getSetCookie().map((each) => {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? []
        return { name, value }
      })
      return { statusCode: answer.status, headers: Object.fromEntries(answer.headers), body, cookies, json: () => JSON.parse(body) }
    },
  },
})
