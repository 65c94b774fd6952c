import type { FastifyRequest } from 'fastify'
import { AppError } from './errors.ts'

/**
 * Refuses writes that another site made a browser send.
 * `Sec-Fetch-Site` is set by the browser alone; older browsers send `Origin` with every cross-site write.
 * A client that sends neither (curl, a script) is not a browser and carries nobody's cookies by accident.
 * @throws AppError foreign_origin
 */
export function requireOwnOrigin(request: FastifyRequest, publicOrigin: string): void {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) {
    if (site !== 'same-origin') throw new AppError('foreign_origin')
    return
  }
  const origin = request.headers.origin
  if (origin === undefined || origin === publicOrigin) return
  if (!URL.canParse(origin) || new URL(origin).host !== request.headers.host) throw new AppError('foreign_origin')
}

/** Did another site make the browser open this address (a link, an image, a frame)? */
export function isCrossSite(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site']
  return site === 'cross-site' || site === 'same-site'
}
