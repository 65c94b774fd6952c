import { once } from 'node:events'
import net from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { ensureDatabase } from './cluster.ts'

// These fake PostgreSQL servers accept every login and die at login or at the first statement.

const servers: net.Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

const message = (type: string, ...body: number[]) => Buffer.from([type.charCodeAt(0), 0, 0, 0, body.length + 4, ...body])
const isIn = Buffer.concat([message('R', 0, 0, 0, 0), message('Z', 'I'.charCodeAt(0))])

async function startDying(when: 'queried' | 'signed in to'): Promise<string> {
  const server = net.createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      if (when === 'queried') socket.once('data', () => socket.resetAndDestroy())
      socket.write(isIn, () => when === 'signed in to' && socket.destroy())
    })
  })
  servers.push(server.listen(0, '127.0.0.1'))
  await once(server, 'listening')
  return `postgres://postgres@127.0.0.1:${(server.address() as net.AddressInfo).port}/postgres`
}

test.each(['queried', 'signed in to'] as const)('reports a server that dies once it is %s, and keeps the process running', async (when) => {
  const url = await startDying(when)
  await expect(ensureDatabase(url, 'sungrove', 'secret')).rejects.toThrow(/^The database stopped again while it was being started \(/)
})
