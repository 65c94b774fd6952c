import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ByteRange, Storage } from './storage.ts'

/** One range is answered; of several, or of another version's, the whole file is, as the specification of HTTP allows. */
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

/** Answers a stored file, the part of it that was asked for, or that it has no such part. */
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
