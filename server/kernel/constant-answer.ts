import { promisify } from 'node:util'
import zlib from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { etagOf, matchesEtag } from './answer-cache.ts'
import type { Context } from './context.ts'
import { admit } from './rate-limit.ts'

const brotli = promisify(zlib.brotliCompress)
const gzip = promisify(zlib.gzip)

/** Higher than for dynamic responses, because a constant one is compressed only once. The maximum takes many times as long to save 5%. */
const quality = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 9 } }
/** In bytes. Smaller responses fit into one packet anyway. */
const minCompressed = 1024

type Constant = { type: string; cacheControl: string; headers?: Record<string, string>; make: () => string | Buffer }

/**
 * A response that never changes during the life of the process. It is built and compressed on first use. After that, each request costs
 * only a copy to the socket, or a 304. Its route must set `compress: false`.
 */
export function constantAnswer(ctx: Pick<Context, 'rateLimiter'>, { type, cacheControl, headers = {}, make }: Constant) {
  let plain: Buffer | undefined
  let common: (Record<string, string> & { etag: string }) | undefined
  const compressed: { br?: Promise<Buffer>; gzip?: Promise<Buffer> } = {}

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    await admit(ctx, request)
    plain ??= Buffer.from(make())
    common ??= { ...headers, etag: etagOf(plain), 'cache-control': cacheControl, vary: 'accept-encoding' }
    reply.headers(common)
    if (matchesEtag(request.headers['if-none-match'], common.etag)) return reply.status(304).send()
    reply.type(type)
    const encoding = plain.length < minCompressed ? null : acceptedEncoding(request)
    if (!encoding) return reply.send(plain)
    compressed[encoding] ??= encoding === 'br' ? brotli(plain, quality) : gzip(plain)
    return reply.header('content-encoding', encoding).send(await compressed[encoding])
  }
}

const encodings = ['br', 'gzip'] as const
export type Encoding = (typeof encodings)[number]

/** The best supported encoding that the browser accepts, or null. */
export function acceptedEncoding({ headers }: Pick<FastifyRequest, 'headers'>): Encoding | null {
  const accepted = String(headers['accept-encoding'] ?? '')
  return encodings.find((each) => takes(accepted, each)) ?? null
}

/** An encoding with a weight of 0 isn't accepted. */
const takes = (accepted: string, encoding: string): boolean =>
  accepted.split(',').some((each) => {
    const [name = '', weight = ''] = each.split(';').map((part) => part.trim().toLowerCase())
    return name === encoding && !/^q=0(\.0*)?$/.test(weight)
  })
