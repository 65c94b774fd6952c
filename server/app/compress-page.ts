import { promisify } from 'node:util'
import zlib from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptedEncoding } from '#server/kernel/constant-answer.ts'

const brotli = promisify(zlib.brotliCompress)
const gzip = promisify(zlib.gzip)

/** As for API calls: a higher quality would delay the page more than the smaller size saves. */
const quality = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } }

/** Compresses a page as the browser accepts and sets the headers. The compression plugin skips requests without a route, which pages are. */
export async function compressPage(request: FastifyRequest, reply: FastifyReply, page: string): Promise<string | Buffer> {
  reply.header('vary', 'accept-encoding')
  const encoding = acceptedEncoding(request)
  if (!encoding) return page
  reply.header('content-encoding', encoding)
  return encoding === 'br' ? await brotli(page, quality) : await gzip(page)
}
