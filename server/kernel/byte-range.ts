import type { FastifyRequest } from 'fastify'
import type { ByteRange } from './storage.ts'

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
