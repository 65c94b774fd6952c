import net, { type AddressInfo, type NetConnectOpts } from 'node:net'
import path from 'node:path'

export type Relay = {
  /** The database's address with this relay's port. */
  urlFor(databaseUrl: string): string
  /** Directs new connections to this database. Open connections remain, as after a DNS change. */
  leadTo(databaseUrl: string): void
  close(): Promise<void>
}

/** A port that forwards to a local database, in place of a DNS name that points to the primary. */
export async function startRelay(databaseUrl: string): Promise<Relay> {
  const sockets = new Set<net.Socket>()
  let target = addressOf(databaseUrl)
  const server = net.createServer((socket) => {
    const onward = net.connect(target)
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
    socket.pipe(onward).pipe(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    urlFor(url) {
      const relayed = new URL(url)
      relayed.search = ''
      relayed.host = `127.0.0.1:${port}`
      return relayed.href
    },
    leadTo(url) {
      target = addressOf(url)
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The embedded PostgreSQL listens on a socket in its folder if the system supports sockets. */
function addressOf(databaseUrl: string): NetConnectOpts {
  const { hostname, port, searchParams } = new URL(databaseUrl)
  const folder = searchParams.get('host')
  if (folder) return { path: path.join(folder, `.s.PGSQL.${searchParams.get('port')}`) }
  return { host: hostname, port: Number(port) }
}
