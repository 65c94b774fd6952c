import { once } from 'node:events'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Sends requests at a fixed rate, regardless of pending responses: `node bench/flood.ts` with the JSON of a `Flood` as its
 * argument. Prints the results as JSON. Runs as a separate process with a minimal client, which costs little compared to the server.
 */
export type Flood = { port: number; paths: string[]; cookie: string; perSecond: number; seconds: number; connections: number }
/**
 * Response times are in milliseconds by status. `late` counts requests whose connection broke, for which none was free, or that still had
 * no response at the end. `tailMs` is the time from the last request to the last response, or 15 seconds if some have none by then.
 */
export type FloodResult = { sent: number; late: number; withRetryAfter: number; tailMs: number; ms: Record<string, number[]> }

const timeoutMs = 15_000

type Connection = { socket: net.Socket; began: number; isBusy: boolean }

async function flood({ port, paths, cookie, perSecond, seconds, connections }: Flood): Promise<FloodResult> {
  const requests = paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: localhost:${port}\r\ncookie: ${cookie}\r\n\r\n`)
  const idle: Connection[] = []
  const all = new Set<Connection>()
  const result: FloodResult = { sent: 0, late: 0, withRetryAfter: 0, tailMs: 0, ms: {} }

  const answered = (connection: Connection, head: string) => {
    const status = head.slice(9, 12)
    result.ms[status] ??= []
    result.ms[status].push(performance.now() - connection.began)
    if (head.toLowerCase().includes('\r\nretry-after:')) result.withRetryAfter++
    connection.isBusy = false
    idle.push(connection)
  }
  const open = (): Connection => {
    const connection: Connection = { socket: net.connect(port, '127.0.0.1'), began: 0, isBusy: false }
    let head = ''
    let left = 0
    connection.socket.setNoDelay(true).on('data', (bytes: Buffer) => {
      if (left > 0) left -= bytes.length
      else {
        head += bytes.toString('latin1')
        const end = head.indexOf('\r\n\r\n')
        if (end < 0) return
        left = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0) - (head.length - end - 4)
      }
      if (left > 0) return
      const whole = head
      head = ''
      answered(connection, whole)
    })
    const gone = () => {
      all.delete(connection)
      if (connection.isBusy) result.late++
      connection.isBusy = false
    }
    connection.socket.on('error', gone).on('close', gone)
    all.add(connection)
    return connection
  }
  const send = () => {
    let connection = idle.pop()
    while (connection?.socket.destroyed) connection = idle.pop()
    // The server closes connections that were idle for too long.
    if (!connection && all.size < connections) connection = open()
    if (!connection) result.late++
    else {
      connection.isBusy = true
      connection.began = performance.now()
      connection.socket.write(requests[result.sent % requests.length] as string)
    }
    result.sent++
  }

  // Opens all connections before the first request, like a proxy.
  while (all.size < connections) {
    const some = Array.from({ length: Math.min(50, connections - all.size) }, open)
    await Promise.all(some.map(({ socket }) => once(socket, 'connect')))
    idle.push(...some)
  }
  const began = performance.now()
  for (let passed = 0; passed < seconds * 1000; passed = performance.now() - began) {
    for (const due = (passed / 1000) * perSecond; result.sent < due; ) send()
    await sleep(1)
  }
  const end = performance.now()
  while ([...all].some(({ isBusy }) => isBusy) && performance.now() - end < timeoutMs) await sleep(20)
  result.tailMs = performance.now() - end
  for (const connection of all) {
    if (connection.isBusy) result.late++
    connection.isBusy = false
    connection.socket.destroy()
  }
  return result
}

if (process.argv[2]) console.log(JSON.stringify(await flood(JSON.parse(process.argv[2]) as Flood)))
