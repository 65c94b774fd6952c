import fs from 'node:fs'
import path from 'node:path'
import { type ServerProcess, startServerProcess } from '#tests/support/server-process.ts'
import { until } from './daemons.ts'

const metricsToken = 'a token for the metrics of the cluster'.replaceAll(' ', '-')
const sessionSecret = 'a secret that all nodes of the cluster share'

export type AppNode = {
  origin: string
  /** Values of a metric, by its labels as text. */
  metric(name: string): Promise<ReadonlyMap<string, number>>
  /** The warnings and errors of its log so far. */
  log(): string
  stop(): Promise<void>
}

type Site = { folder: string; smtpUrl: string }

export async function startNode(name: string, port: number, { folder, smtpUrl }: Site, env: Record<string, string>): Promise<AppNode> {
  const logFile = path.join(folder, `${name}.log`)
  const server: ServerProcess = await startServerProcess(path.join(folder, name), {
    ...{ PORT: String(port), HOST: '127.0.0.1', SESSION_SECRET: sessionSecret, METRICS_TOKEN: metricsToken },
    ...{ SMTP_URL: smtpUrl, EMAIL_VERIFICATION: 'optional', RATE_LIMIT_SCALE: '10000', RATE_LIMIT_STORE: 'postgres' },
    // Other work on the machine must not make the node refuse requests.
    MAX_EVENT_LOOP_DELAY_MS: '0',
    ...env,
  })
  for (const stream of [server.child.stdout, server.child.stderr]) stream?.on('data', (data) => fs.appendFileSync(logFile, data))
  const origin = `http://127.0.0.1:${port}`
  return {
    origin,
    async metric(metric) {
      const answer = await fetch(`${origin}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })
      const pattern = new RegExp(`^sungrove_${metric}(?:\\{(.*)\\})? (\\S+)$`)
      const found = (await answer.text()).split('\n').map((line) => pattern.exec(line))
      return new Map(found.flatMap((match) => (match ? [[match[1] ?? '', Number(match[2])] as const] : [])))
    },
    log: () => (fs.existsSync(logFile) ? fs.readFileSync(logFile, 'utf8') : ''),
    async stop() {
      server.child.kill('SIGTERM')
      await server.ended
    },
  }
}

/** Waits until each node reads from this many replicas. */
export const replicasAreUsed = (nodes: readonly AppNode[], count: number): Promise<true> =>
  until(
    `nodes read from ${count} replicas`,
    async () => {
      const used = await Promise.all(
        nodes.map(async (node) => [...(await node.metric('replica_used')).values()].reduce((a, b) => a + b, 0)),
      )
      return used.every((each) => each === count)
    },
    { withinMs: 30_000 },
  )
