import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ByteRange, Storage } from './storage.ts'

/** Supports a single range. Several ranges, or a range of another version, get the whole file, as HTTP allows. */
export function rangeOf(request: Pick<FastifyRequest, 'headers'>, etag: string): ByteRange | undefined {
  const { range, 'if-range': ifRange } = request.headers
  if (range === undefined || (ifRange !== undefined && ifRange !== etag)) return undefined
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range) ?? []
  if (first !== '') {
    if (last === '') return { first: Number(first) }
    return Number(last) < Number(first) ? undefined : { first: Number(first), last: Number(last) }
  }
  return last === '' ? undefined : { lastBytes: Number(last) }
}

/** Sends a stored file, the requested range of it, or 416. */
export function sendStored(
  reply: FastifyReply,
  stored: NonNullable<Awaited<ReturnType<Storage['get']>>>,
  { type, isPart }: { type: string; isPart: boolean },
): FastifyReply {
  if ('outOfRange' in stored) return reply.status(416).header('content-range', `bytes */${stored.size}`).send()
  if (isPart) reply.status(206).header('content-range', `bytes ${stored.first}-${stored.last}/${stored.size}`)
  return reply
    .type(type)
    .header('content-length', stored.last - stored.first + 1)
    .send(stored.body)
}
