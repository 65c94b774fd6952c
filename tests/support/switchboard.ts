import net from 'node:net'

export type Switchboard = {
  /** The permanent address, regardless of the process behind it. */
  origin: string
  /** Forwards to this port from now on, and cuts connections to the previous one. */
  connect(port: number): void
  close(): void
}

/** A fixed address in front of changing processes, like an operator's proxy. */
export async function startSwitchboard(): Promise<Switchboard> {
  const open = new Set<net.Socket>()
  let upstream: number | null = null
  const server = net.createServer((socket) => {
    if (upstream === null) return void socket.destroy()
    const site = net.connect(upstream, '127.0.0.1')
    for (const each of [socket, site]) {
      open.add(each)
      // Either end may disconnect at any time.
      each.on('error', () => {})
      each.on('close', () => {
        open.delete(each)
        socket.destroy()
        site.destroy()
      })
    }
    socket.pipe(site).pipe(socket)
  })
  const cutOff = () => {
    for (const each of open) each.destroy()
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://localhost:${(server.address() as net.AddressInfo).port}`,
    connect(port) {
      upstream = port
      cutOff()
    },
    close() {
      server.close()
      cutOff()
    },
  }
}
