import { once } from 'node:events'
import http from 'node:http'

export type BenchRequest = { url: string; headers: Record<string, string> }

/**
 * Response times in fractional milliseconds over this many connections with one pending request each. Each connection alternates between
 * several addresses. The client runs on the same machine.
 */
export async function latencies(
  asked: readonly BenchRequest[],
  { connections, seconds }: { connections: number; seconds: number },
): Promise<number[][]> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections })
  const times = asked.map((): number[] => [])
  const end = performance.now() + seconds * 1000
  const ask = async (first: number) => {
    for (let turn = first; performance.now() < end; turn++) {
      const which = turn % asked.length
      times[which]?.push(await timed(asked[which] as BenchRequest, agent))
    }
  }
  await Promise.all(Array.from({ length: connections }, (_, number) => ask(number)))
  agent.destroy()
  return times
}

async function timed({ url, headers }: BenchRequest, agent: http.Agent): Promise<number> {
  const start = performance.now()
  const [answer] = (await once(http.get(url, { agent, headers }), 'response')) as [http.IncomingMessage]
  answer.resume()
  await once(answer, 'end')
  if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode}`)
  return performance.now() - start
}

export function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
