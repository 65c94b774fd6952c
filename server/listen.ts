import net from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import { ToldError } from './error-line.ts'

/** Connections that wait to be taken: in a rush, a shorter queue loses some, and their clients try again only after a second. */
const backlog = 4096

type Place = Pick<Config, 'host' | 'port'>

/** Fails at once, before the slow parts of a start, when nobody could listen here. */
export async function assertCanListen(place: Place): Promise<void> {
  await onUsableHost(place, ({ host, port }) => {
    const probe = net.createServer()
    return new Promise<void>((resolve, reject) => {
      probe.once('error', reject)
      probe.listen({ host, port }, () => probe.close(() => resolve()))
    })
  })
}

export async function listen(app: FastifyInstance, place: Place): Promise<void> {
  await onUsableHost(place, ({ host, port }) => app.listen({ host, port, backlog }))
}

/** @throws {ToldError} that says what to do */
async function onUsableHost({ host, port }: Place, open: (place: Place) => Promise<unknown>): Promise<void> {
  try {
    await open({ host, port })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    // "::" means every address of the machine; one without IPv6 has the others only.
    if (host === '::' && (code === 'EAFNOSUPPORT' || code === 'EADDRNOTAVAIL')) return onUsableHost({ host: '0.0.0.0', port }, open)
    if (code === 'EADDRINUSE')
      throw new ToldError(`Port ${port} is in use. Stop what runs there, or choose another one: PORT=${port + 1} npm start`)
    if (code === 'EACCES') throw new ToldError(`Port ${port} is not open to this user. Choose one above 1023: PORT=3000 npm start`)
    throw new ToldError(`Cannot listen on ${host}, port ${port}: ${message}`)
  }
}
