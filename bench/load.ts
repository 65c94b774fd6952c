import { execFile } from 'node:child_process'
import { once } from 'node:events'
import http from 'node:http'
import path from 'node:path'
import { promisify } from 'node:util'
import { quantile } from './latency.ts'
import { freePort } from './processes.ts'
import type { Sample } from './routes.ts'

/** Variables that leave a measured server limited only by its capacity. */
export const loadedServer = async (dataDir: string): Promise<Record<string, string>> => ({
  ...{ NODE_ENV: 'production', PORT: String(await freePort()), HOST: '::', DATA_DIR: dataDir },
  ...{ LOG_LEVEL: 'fatal', RATE_LIMIT_SCALE: '10000', DATABASE_URL: process.env.DATABASE_URL ?? '' },
})

/** Addresses that a member reads, requested in turn. */
export const readMix = ({ postId, shopSlug }: Sample): string[] => [
  '/api/feed',
  `/api/posts/${postId}`,
  `/api/posts/${postId}/comments`,
  `/api/businesses/${shopSlug}/posts`,
  '/api/notifications',
  '/api/search?q=gree',
]

/** Connections for measuring a server's capacity. Below the default of MAX_REQUESTS_IN_FLIGHT, so the server refuses none. */
export const connections = 48

/** Status 0 means no response within 15 seconds. */
export type Answer = { status: number; ms: number }

export type Client = {
  ask(url: string, options: http.RequestOptions, body?: string): Promise<Answer>
  close(): void
}

export function createClient(): Client {
  const agent = new http.Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, scheduling: 'fifo' })
  return {
    async ask(url, options, body) {
      const start = performance.now()
      try {
        const request = http.request(url, { agent, ...options, signal: AbortSignal.timeout(15_000) }).end(body)
        const [answer] = (await once(request, 'response')) as [http.IncomingMessage]
        answer.resume()
        await once(answer, 'end')
        return { status: answer.statusCode ?? 0, ms: performance.now() - start }
      } catch {
        return { status: 0, ms: performance.now() - start }
      }
    },
    close: () => agent.destroy(),
  }
}

export const msOf = (answers: readonly Answer[]): number[] => answers.map(({ ms }) => ms)

/** Successful requests per second over these `connections`, after a warm-up. */
export async function measureCapacity(
  work: () => Promise<Answer>,
  seconds: number,
): Promise<{ perSecond: number; p50Ms: number; p99Ms: number }> {
  await closedLoop(work, 3)
  const answers = await closedLoop(work, seconds)
  const perSecond = answers.filter(({ status }) => status === 200).length / seconds
  const [p50Ms, p99Ms] = [quantile(msOf(answers), 0.5), quantile(msOf(answers), 0.99)]
  console.log(`capacity: ${perSecond.toFixed(0)}/s, p50 ${p50Ms.toFixed(0)} ms, p99 ${p99Ms.toFixed(0)} ms with ${connections} connections`)
  return { perSecond, p50Ms, p99Ms }
}

async function closedLoop(work: () => Promise<Answer>, forSeconds: number): Promise<Answer[]> {
  const answers: Answer[] = []
  const end = performance.now() + forSeconds * 1000
  const connection = async () => {
    while (performance.now() < end) answers.push(await work())
  }
  await Promise.all(Array.from({ length: connections }, connection))
  return answers
}

/** Runs a script of this folder that takes JSON as its argument and prints JSON. */
export async function inOtherProcess<Result>(script: string, input: object): Promise<Result> {
  const { stdout } = await promisify(execFile)(process.execPath, [path.join(import.meta.dirname, script), JSON.stringify(input)], {
    maxBuffer: 500_000_000,
  })
  return JSON.parse(stdout) as Result
}

/** Prints whether each limit is met. A missed limit makes the process fail. */
export function requireLimits(limits: Record<string, boolean>): void {
  for (const [limit, isHeld] of Object.entries(limits)) {
    console.log(`${isHeld ? '✓' : '✗'} ${limit}`)
    if (!isHeld) process.exitCode = 1
  }
}

/** For printing: numbers with at most two decimals. */
export const printed = (figures: object): string =>
  JSON.stringify(figures, (_key, value) => (typeof value === 'number' ? Math.round(value * 100) / 100 : value), 2)
