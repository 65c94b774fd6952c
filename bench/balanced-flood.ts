import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Sends requests at a fixed rate to several nodes like the proxies of `deploy/`, until its standard input ends: `node
 * bench/balanced-flood.ts` with the JSON of a `BalancedFlood` as its argument. Prints the results as JSON.
 */
export type BalancedFlood = { ports: number[]; paths: string[]; cookie: string; perSecond: number }
/** Response times start when a request was due and include retries; `failed` counts failures by status or error. */
export type BalancedFloodResult = { ms: number[]; failed: Record<string, number>; retries: number; usedNodes: number[] }

/** As in deploy/Caddyfile: how long a request is retried, and how long a node is avoided after it refuses a connection. */
const retryForMs = 5_000
const avoidForMs = 10_000
const retryEveryMs = 250
const timeoutMs = 15_000

type Node = { port: number; agent: http.Agent; pending: number; avoidUntil: number; used: number }

async function flood({ ports, paths, cookie, perSecond }: BalancedFlood): Promise<BalancedFloodResult> {
  const nodes = ports.map(
    (port): Node => ({
      port,
      agent: new http.Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY }),
      ...{ pending: 0, avoidUntil: 0, used: 0 },
    }),
  )
  const result: BalancedFloodResult = { ms: [], failed: {}, retries: 0, usedNodes: [] }
  const headers = { cookie }
  let isOver = false
  process.stdin.resume().once('end', () => {
    isOver = true
  })

  const ask = (node: Node, path: string) =>
    new Promise<number>((resolve, reject) => {
      const signal = AbortSignal.timeout(timeoutMs)
      const request = http.get({ host: '127.0.0.1', port: node.port, path, headers, agent: node.agent, signal }, (response) => {
        response.resume()
        response.once('end', () => resolve(response.statusCode ?? 0))
        // A response that has begun can't be retried.
        response.once('error', () => resolve(0))
      })
      request.once('error', reject)
    })

  /** The node with the fewest pending requests. */
  const choose = () => {
    const now = performance.now()
    return nodes.filter(({ avoidUntil }) => avoidUntil <= now).sort((one, other) => one.pending - other.pending)[0]
  }

  const send = async (path: string, due: number) => {
    const fail = (what: string) => {
      result.failed[what] = (result.failed[what] ?? 0) + 1
    }
    for (;;) {
      const node = choose()
      if (node) {
        node.pending++
        try {
          const status = await ask(node, path)
          node.used++
          if (status !== 200) return fail(String(status))
          result.ms.push(performance.now() - due)
          return
        } catch (error) {
          const { code = 'error' } = error as NodeJS.ErrnoException
          // Reads are safe to repeat. A node that closes an idle connection isn't down; one that refuses a new connection is.
          if (code === 'ECONNREFUSED') node.avoidUntil = performance.now() + avoidForMs
          else if (code !== 'ECONNRESET' && code !== 'EPIPE') return fail(code)
        } finally {
          node.pending--
        }
      } else await sleep(retryEveryMs)
      result.retries++
      if (performance.now() - due > retryForMs) return fail('no node')
    }
  }

  const sent: Promise<void>[] = []
  const began = performance.now()
  while (!isOver) {
    for (const due = ((performance.now() - began) / 1000) * perSecond; sent.length < due; ) {
      sent.push(send(paths[sent.length % paths.length] as string, began + (sent.length / perSecond) * 1000))
    }
    await sleep(1)
  }
  await Promise.all(sent)
  for (const { agent } of nodes) agent.destroy()
  result.usedNodes = nodes.map(({ used }) => used)
  return result
}

if (process.argv[2]) console.log(JSON.stringify(await flood(JSON.parse(process.argv[2]) as BalancedFlood)))
