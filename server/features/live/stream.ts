import type { FastifyReply, FastifyRequest } from 'fastify'
import { livePath } from '#contracts/live.ts'
import { requireAccess } from '#server/kernel/actor.ts'
import { AppError } from '#server/kernel/errors.ts'
import type { Api } from '#server/kernel/route.ts'
import type { Hub, OpenPage } from './hub.ts'

/** Routes under /api that are not part of the contract. */
export const liveRoutes: readonly string[] = [`GET ${livePath}`]

const reconnectMs = 2000
const farewellMs = 5000
/** A client this far behind isn't reading. */
const maxUnsentBytes = 64 * 1024

/** Server-sent events for a signed-in person, until either side disconnects. */
export function addStream({ app, ctx }: Api, hub: Hub): void {
  app.get(livePath, { exposeHeadRoute: false }, async (request, reply) => {
    const session = await ctx.sessions.read(request.headers.cookie, { evenOwing: true })
    requireAccess({ access: 'member' }, session?.actor ?? null)
    const userId = (session?.actor.id ?? '') as string
    await ctx.rateLimiter.consume('read', `account:${userId}`)
    if (hub.refusal()) throw new AppError('unavailable', { retryAfterSeconds: 5 })
    if (session?.renewedCookie) reply.header('set-cookie', session.renewedCookie)

    const page = openPage(request, reply, userId)
    reply.raw.on('close', () => hub.remove(page))
    hub.add(page)
  })
}

/** Writes the raw response from here on, so that nothing compresses or buffers events. */
function openPage(request: FastifyRequest, reply: FastifyReply, userId: string): OpenPage {
  const { raw } = reply
  reply.hijack()
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  })
  raw.on('error', () => raw.destroy())
  const write = (text: string) => {
    if (raw.destroyed || raw.writableEnded) return
    if (raw.writableLength > maxUnsentBytes) raw.destroy()
    else raw.write(text)
  }
  write(`retry: ${reconnectMs}\n\n`)
  return {
    userId,
    cookie: request.headers.cookie,
    send: (event, data) => write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    beat: () => write(': \n\n'),
    close(comeBackAfterMs) {
      if (comeBackAfterMs !== undefined) write(`retry: ${comeBackAfterMs}\n\n`)
      const { socket } = raw
      raw.end()
      // A connection without a pending response would keep the server from closing.
      raw.once('finish', () => socket?.end())
      // A client that disconnected silently doesn't acknowledge the end.
      setTimeout(() => socket?.destroy(), farewellMs).unref()
    },
  }
}
