import net from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import { UserFacingError } from './error-line.ts'

/** The queue of pending connections. In a rush, a shorter one would drop some, and their clients retry only after a second. */
const backlog = 4096

type Place = Pick<Config, 'host' | 'port'>

/** Fails early, before the slow parts of startup, if the port can't be used. */
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

/** @throws {UserFacingError} that says how to fix it */
async function onUsableHost({ host, port }: Place, open: (place: Place) => Promise<unknown>): Promise<void> {
  try {
    await open({ host, port })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    // "::" means all addresses of the machine; without IPv6, use all IPv4 addresses.
    if (host === '::' && (code === 'EAFNOSUPPORT' || code === 'EADDRNOTAVAIL')) return onUsableHost({ host: '0.0.0.0', port }, open)
    if (code === 'EADDRINUSE')
      throw new UserFacingError(`Port ${port} is in use. Stop the program that uses it, or choose another one: PORT=${port + 1} npm start`)
    if (code === 'EACCES') throw new UserFacingError(`Port ${port} is not open to this user. Choose one above 1023: PORT=3000 npm start`)
    throw new UserFacingError(`Can't listen on ${host}, port ${port}: ${message}`)
  }
}
