import autocannon from 'autocannon'
import { processorTime, type RunningServer } from './processes.ts'

export type Figures = {
  requestsPerSecond: number
  p50Ms: number
  p99Ms: number
  /** CPU time of the server with its database, without the client. Null if the system doesn't provide it. */
  cpuMicrosecondsPerRequest: number | null
}

const connections = 64

/** One address called repeatedly, or addresses that get PUT and DELETE in turn. */
export type Target = { path: string } | { toggled: string[] }

/** Puts load on a target after a warm-up that doesn't count. @throws if a response isn't a success */
export async function measure(server: RunningServer, target: Target, headers: Record<string, string>, seconds: number): Promise<Figures> {
  await load(server.origin, target, headers, Math.max(1, Math.round(seconds / 3)))
  const before = processorTime(server.pid)
  const result = await load(server.origin, target, headers, seconds)
  const after = processorTime(server.pid)
  const answered = result['2xx']
  if (result.errors > 0 || result.non2xx > 0 || answered === 0) {
    throw new Error(
      `${describe(target)}: ${result.errors} errors and ${result.non2xx} unsuccessful responses of ${answered + result.non2xx}`,
    )
  }
  return {
    requestsPerSecond: answered / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    cpuMicrosecondsPerRequest: before === null || after === null ? null : (after - before) / answered,
  }
}

const describe = (target: Target) => ('path' in target ? target.path : `${target.toggled[0]} …`)

function load(origin: string, target: Target, headers: Record<string, string>, duration: number) {
  if ('path' in target) return autocannon({ url: origin + target.path, headers, connections, duration })
  // Each address has its own connection, so its requests are sequential and each one makes a change.
  let next = 0
  return autocannon({
    url: origin,
    headers,
    connections: target.toggled.length,
    duration,
    setupClient(client) {
      const path = target.toggled[next++ % target.toggled.length] as string
      client.setRequests([
        { method: 'PUT', path },
        { method: 'DELETE', path },
      ])
    },
  })
}
