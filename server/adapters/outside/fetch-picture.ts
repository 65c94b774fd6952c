import { maxImageBytes } from '#contracts/media.rules.ts'
import { type FetchPicture, type Outside, OutsideRefused } from '#server/kernel/context.ts'
import { formatOf } from '#server/kernel/media-header.ts'

const pictures = new Set(['jpeg', 'png', 'webp', 'gif', 'avif'])

/** Fetches pictures from other sites. */
export function createPictureFetcher(outside: Pick<Outside, 'call'>, timeLimitMs = 10_000): FetchPicture {
  return async (url) => {
    const { status, body } = await outside.call({
      url,
      isHttpAllowed: true,
      headers: { 'user-agent': 'Mozilla/5.0 (compatible; picture fetcher)', accept: 'image/*' },
      maxBytes: maxImageBytes,
      timeLimitMs,
      maxRedirects: 3,
      // Stops early for pages and archives.
      checkStart: requirePicture,
    })
    if (status === 429 || status >= 500) throw new Error(`the other site responded with ${status}`)
    if (status !== 200) throw new OutsideRefused('There is no picture at this address.')
    requirePicture(body)
    return body
  }
}

function requirePicture(start: Buffer): void {
  const format = formatOf(start)
  if (format === null || !pictures.has(format)) throw new OutsideRefused('There is no picture at this address.')
}
