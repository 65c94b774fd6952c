import { promisify } from 'node:util'
import zlib from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { admit } from './admit.ts'
import { etagOf } from './answer-cache.ts'
import type { Context } from './context.ts'

const brotli = promisify(zlib.brotliCompress)
const gzip = promisify(zlib.gzip)

/** Made once, so better than what is compressed for each answer; the best takes many times as long for a twentieth less. */
const quality = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 9 } }
/** A packet holds as much anyway. In bytes. */
const minCompressed = 1024

type Constant = { type: string; cacheControl: string; headers?: Record<string, string>; make: () => string | Buffer }

/**
 * An answer that stays the same while the process lives. It is made and compressed when it is first asked for, and from then on costs a
 * copy to the socket, or a 304. Its route says `compress: false`.
 */
export function constantAnswer(ctx: Pick<Context, 'rateLimiter'>, { type, cacheControl, headers = {}, make }: Constant) {
  let plain: Buffer | undefined
  let common: Record<string, string> | undefined
  const compressed: { br?: Promise<Buffer>; gzip?: Promise<Buffer> } = {}

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    await admit(ctx, request)
    plain ??= Buffer.from(make())
    common ??= { ...headers, etag: etagOf(plain), 'cache-control': cacheControl, vary: 'accept-encoding' }
    reply.headers(common)
    if (request.headers['if-none-match'] === common.etag) return reply.status(304).send()
    reply.type(type)
    const encoding = plain.length < minCompressed ? null : acceptedEncoding(request)
    if (!encoding) return reply.send(plain)
    compressed[encoding] ??= encoding === 'br' ? brotli(plain, quality) : gzip(plain)
    return reply.header('content-encoding', encoding).send(await compressed[encoding])
  }
}

/** The best encoding of ours that a browser takes; null where it takes none. */
export function acceptedEncoding({ headers }: Pick<FastifyRequest, 'headers'>): 'br' | 'gzip' | null {
  const accepted = String(headers['accept-encoding'] ?? '')
  return (['br', 'gzip'] as const).find((each) => takes(accepted, each)) ?? null
}

/** An encoding that is named with a weight of nothing is refused. */
const takes = (accepted: string, encoding: string): boolean =>
  accepted.split(',').some((each) => {
    const [name = '', weight = ''] = each.split(';').map((part) => part.trim().toLowerCase())
    return name === encoding && !/^q=0(\.0*)?$/.test(weight)
  })
