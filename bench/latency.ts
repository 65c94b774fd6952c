import { once } from 'node:events'
import http from 'node:http'

/**
 * How long each answer takes, in milliseconds with fractions, over this many connections of which each has one request under
 * way. The times are those of a client on the same machine.
 */
export async function latencies(
  url: string,
  headers: Record<string, string>,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<number[]> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections })
  const times: number[] = []
  const end = performance.now() + seconds * 1000
  const ask = async () => {
    while (performance.now() < end) {
      const start = performance.now()
      const request = http.get(url, { agent, headers })
      const [answer] = (await once(request, 'response')) as [http.IncomingMessage]
      answer.resume()
      await once(answer, 'end')
      if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode}`)
      times.push(performance.now() - start)
    }
  }
  await Promise.all(Array.from({ length: connections }, ask))
  agent.destroy()
  return times
}

export function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
