import { setTimeout as sleep } from 'node:timers/promises'
import { quantile } from '#bench/latency.ts'
import { below, randomAt } from '#bench/random.ts'
import type { Cluster } from './cluster.ts'
import { until } from './daemons.ts'
import { type AppNode, replicasAreUsed } from './nodes.ts'
import { longestGap, startWatch, type Watch } from './watch.ts'
import type { Person } from './writers.ts'

export const kinds = ['switchover', 'kill', 'freeze'] as const
type Kind = (typeof kinds)[number]

export type Failover = {
  kind: Kind
  from: string
  to: string
  /** Time without a successful write, on the node that waited longer. */
  outageMs: number
  /** From the event until the name resolved to the new primary. */
  nameMs: number
  /** From the name's change until both nodes could write again. */
  backMs: number
  /** From the name's change until a new connection outside the application could commit. */
  bareMs: number
  readyz: Watch['readyz']
  /** Visitors' reads that were refused. */
  refusedReads: number
  faults: string[]
}

/** A failed server returns this long after its successor has accepted writes. */
const restedMs = 2000

/** Uses all kinds equally often, in an order determined by the seed. The first ones differ, so a short run has several kinds. */
export function planFailovers(count: number, seed: number): { kind: Kind; pauseMs: number }[] {
  const plan: { kind: Kind; pauseMs: number }[] = []
  for (let round = 0; plan.length < count; round++) {
    const random = randomAt(seed, 3, round)
    const left: Kind[] = [...kinds]
    while (left.length > 0 && plan.length < count) {
      const [kind] = left.splice(below(random, left.length), 1) as [Kind]
      plan.push({ kind, pauseMs: 2000 + below(random, 4000) })
    }
  }
  return plan
}

type Scene = {
  cluster: Cluster
  nodes: readonly AppNode[]
  /** The primary's name, as configured on the nodes. */
  url: string
  /** One person per node, who saves the post repeatedly. */
  probes: readonly Person[]
  postId: string
  /** The path of a call that visitors may make. */
  read: string
  replicas: number
  /** The limit of {@link Failover.backMs}, measured from the new primary's first commit on a new connection. */
  maxBackMs: number
}

/** Runs one failover and waits until the cluster is complete again. */
export async function failOver(scene: Scene, kind: Kind): Promise<Failover> {
  const { cluster, nodes, probes, postId } = scene
  const old = await cluster.settle()
  const watch = startWatch({
    url: scene.url,
    nodes: nodes.map(({ origin }, i) => ({ origin, person: probes[i] as Person, postId })),
    read: scene.read,
  })
  const faults: string[] = []
  try {
    await until('both nodes write', async () => watch.writes.every(({ length }) => length > 2))
    const start = performance.now()
    const switched = kind === 'switchover' ? cluster.switchOver(old) : undefined
    // The name shows what happened, even if Patroni timed out.
    switched?.catch(() => {})
    if (kind === 'kill') await old.kill()
    if (kind === 'freeze') old.freeze()
    const nameAt = await until('the name leads to another primary', async () => watch.nameLedAway(old, start), { everyMs: 50 })
    await until('both nodes write again', async () => watch.writes.every((at) => (at.at(-1) ?? 0) > nameAt + 200), { everyMs: 50 })
    await sleep(restedMs)
    if (kind === 'kill') old.start()
    if (kind === 'freeze') old.resume()
    await switched?.catch((error: Error) => void faults.push(error.message))
    const to = await cluster.settle()
    await replicasAreUsed(nodes, scene.replicas)
    await sleep(1000)
    const end = performance.now()
    await watch.stop()
    // Starts some time before the event, to include the last write before it.
    const gaps = watch.writes.map((at) => longestGap(at, start - 500, end))
    const outageMs = Math.max(...gaps.map(({ ms }) => ms))
    const backMs = Math.max(0, ...gaps.map(({ endedAt }) => endedAt - nameAt))
    const { readyz, reads, statuses } = watch
    const bareMs = (watch.committedAway(old, start) ?? Number.POSITIVE_INFINITY) - nameAt
    if (!Number.isFinite(bareMs)) faults.push(`No new connection committed after the name led to ${to.name}.`)
    if (!(backMs - bareMs <= scene.maxBackMs))
      faults.push(
        `Writes were back ${backMs.toFixed(0)} ms after the name led to ${to.name}, which committed after ${bareMs.toFixed(0)} ms.`,
      )
    if (readyz.notReady > 0) faults.push(`/readyz was not ready ${readyz.notReady} times, though replicas served.`)
    if (outageMs > 3000 && !readyz.databases.unreachable && !readyz.databases['read-only'])
      faults.push('/readyz said that the database was writable all the time.')
    for (const [what, counts] of Object.entries({ 'reads of visitors': reads, writes: statuses })) {
      for (const [status, count] of counts)
        if (status !== 200 && status !== 503) faults.push(`${count} ${what} ended with ${status || 'no response'}.`)
    }
    const rounded = {
      outageMs: Math.round(outageMs),
      nameMs: Math.round(nameAt - start),
      backMs: Math.round(backMs),
      bareMs: Math.round(bareMs),
    }
    return { kind, from: old.name, to: to.name, ...rounded, readyz, refusedReads: reads.get(503) ?? 0, faults }
  } finally {
    await watch.stop()
    old.resume()
  }
}

export function summarize(failovers: readonly Failover[]) {
  const of = (numbers: readonly number[]) => ({ medianMs: quantile(numbers, 0.5), maxMs: Math.max(...numbers) })
  return Object.fromEntries(
    kinds.flatMap((kind) => {
      const those = failovers.filter((each) => each.kind === kind)
      if (those.length === 0) return []
      const outage = of(those.map(({ outageMs }) => outageMs))
      return [
        [kind, { count: those.length, outage, back: of(those.map(({ backMs }) => backMs)), bare: of(those.map(({ bareMs }) => bareMs)) }],
      ]
    }),
  )
}
