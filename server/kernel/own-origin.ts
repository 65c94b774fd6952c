import type { FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'
import { AppError } from './errors.ts'

/**
 * Refuses cross-site writes by browsers. Only the browser can set `Sec-Fetch-Site`, and older browsers send `Origin` with every cross-site
 * write. A client that sends neither (curl, a script) isn't a browser and doesn't send anyone's cookies by accident.
 * @throws AppError foreign_origin
 */
export function requireOwnOrigin(request: FastifyRequest, site: Site): void {
  const { 'sec-fetch-site': fetchSite, origin } = request.headers
  const isOwn = fetchSite === undefined ? origin === undefined || isOwnAddress(request, origin, site) : fetchSite === 'same-origin'
  if (!isOwn) throw new AppError('foreign_origin')
}

type Site = Pick<Config, 'publicUrl' | 'isOnThisMachine'>

/**
 * Whether this is a URL of the site itself. If PUBLIC_URL points beyond this machine, only that counts. Otherwise, the site can be opened
 * at any address of the machine, so the request's host also counts.
 */
export function isOwnAddress(request: FastifyRequest, address: string, { publicUrl, isOnThisMachine }: Site): boolean {
  if (!URL.canParse(address)) return false
  const { origin, host } = new URL(address)
  return origin === publicUrl || (isOnThisMachine && host === request.headers.host)
}

/** Whether another origin, even a subdomain of this site, made the browser open this URL (a link, an image, a frame). */
export function isCrossSite(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site']
  return site === 'cross-site' || site === 'same-site'
}
