import { promisify } from 'node:util'
import zlib from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptedEncoding } from '../kernel/constant-answer.ts'

const brotli = promisify(zlib.brotliCompress)
const gzip = promisify(zlib.gzip)

/** As for calls: more would hold up the page longer than the bytes it saves. */
const quality = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } }

/**
 * A page in what its browser takes, and the headers that say so. The plugin that does this for routes leaves out what has none, and pages
 * answer whatever has no route.
 */
export async function compressPage(request: FastifyRequest, reply: FastifyReply, page: string): Promise<string | Buffer> {
  reply.header('vary', 'accept-encoding')
  const encoding = acceptedEncoding(request)
  if (!encoding) return page
  reply.header('content-encoding', encoding)
  return encoding === 'br' ? await brotli(page, quality) : await gzip(page)
}
