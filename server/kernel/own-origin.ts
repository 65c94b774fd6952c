import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { AppError } from './errors.ts'

/**
 * Refuses writes that another site made a browser send.
 * `Sec-Fetch-Site` is set by the browser alone; older browsers send `Origin` with every cross-site write.
 * A client that sends neither (curl, a script) is not a browser and carries nobody's cookies by accident.
 * @throws AppError foreign_origin
 */
export function requireOwnOrigin(request: FastifyRequest, site: Site): void {
  const { 'sec-fetch-site': fetchSite, origin } = request.headers
  const isOwn = fetchSite === undefined ? origin === undefined || isOwnAddress(request, origin, site) : fetchSite === 'same-origin'
  if (!isOwn) throw new AppError('foreign_origin')
}

type Site = Pick<Config, 'publicUrl' | 'isOnThisMachine'>

/**
 * Is this an address of the site itself? That is PUBLIC_URL alone, once it leads beyond this machine. A site that was told no such name is
 * opened by any address of the machine, and then its name is whatever the request was sent to.
 */
export function isOwnAddress(request: FastifyRequest, address: string, { publicUrl, isOnThisMachine }: Site): boolean {
  if (!URL.canParse(address)) return false
  const { origin, host } = new URL(address)
  return origin === publicUrl || (isOnThisMachine && host === request.headers.host)
}

/** Did another site make the browser open this address (a link, an image, a frame)? */
export function isCrossSite(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site']
  return site === 'cross-site' || site === 'same-site'
}
