import autocannon from 'autocannon'
import { processorTime, type RunningServer } from './processes.ts'

export type Figures = {
  requestsPerSecond: number
  p50Ms: number
  p99Ms: number
  /** Of the server with its database, without the client. Null where the system does not tell. */
  cpuMicrosecondsPerRequest: number | null
}

const connections = 64

/** Loads one address for a while, after a warm-up that does not count. Every answer must be a 200. */
export async function measure(server: RunningServer, path: string, headers: Record<string, string>, seconds: number): Promise<Figures> {
  await load(server.origin + path, headers, Math.max(1, Math.round(seconds / 3)))
  const before = processorTime(server.pid)
  const result = await load(server.origin + path, headers, seconds)
  const after = processorTime(server.pid)
  const answered = result['2xx']
  if (result.errors > 0 || result.non2xx > 0 || answered === 0) {
    throw new Error(`${path}: ${result.errors} errors and ${result.non2xx} answers that are no success, of ${answered + result.non2xx}`)
  }
  return {
    requestsPerSecond: answered / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    cpuMicrosecondsPerRequest: before === null || after === null ? null : (after - before) / answered,
  }
}

const load = (url: string, headers: Record<string, string>, duration: number) => autocannon({ url, headers, connections, duration })
