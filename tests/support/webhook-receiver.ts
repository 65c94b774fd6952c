import http from 'node:http'
import type { AddressInfo } from 'node:net'

export type ReceivedCall = { path: string; headers: Record<string, string>; body: string }
/** A status, a redirect, or a failure to respond: `silent` leaves the call open; `cut` ends it once the body is read. */
export type ReceiverBehavior = number | 'silent' | 'cut' | { location: string }

export async function startWebhookReceiver(at = 0) {
  const received: ReceivedCall[] = []
  const open = new Set<http.ServerResponse>()
  let mood: ReceiverBehavior = 200
  let mostOpen = 0
  const server = http.createServer((request, response) => {
    const parts: Buffer[] = []
    open.add(response)
    mostOpen = Math.max(mostOpen, open.size)
    response.on('close', () => open.delete(response))
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      received.push({
        path: request.url ?? '',
        headers: request.headers as Record<string, string>,
        body: Buffer.concat(parts).toString(),
      })
      if (mood === 'silent') return
      if (mood === 'cut') return void request.socket.destroy()
      if (typeof mood === 'object') return void response.writeHead(302, mood).end()
      response.writeHead(mood).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    received,
    /** The value for PRIVATE_TARGETS that allows calls to this server. */
    target: `127.0.0.1:${port}`,
    url: (path = '/hook') => `http://127.0.0.1:${port}${path}`,
    become(next: ReceiverBehavior) {
      mood = next
    },
    /** Responds to calls that were left open. */
    answerOpen(status: number) {
      for (const response of open) response.writeHead(status).end()
    },
    mostOpen: () => mostOpen,
    close() {
      server.closeAllConnections()
      return new Promise<void>((resolve) => void server.close(() => resolve()))
    },
  }
}

export type WebhookReceiver = Awaited<ReturnType<typeof startWebhookReceiver>>
