import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Boot } from '../../contracts/boot.ts'
import { nextPage } from '../../contracts/link-header.ts'
import { innerCall } from '../kernel/admit.ts'
import { AppError } from '../kernel/errors.ts'

/** The calls that a page makes first. The web app asks for exactly these addresses: see `web/lib/call.ts`. */
function firstCalls(path: string, query: URLSearchParams): string[] {
  const business = /^\/business\/([a-z0-9-]+)$/.exec(path)
  if (business && business[1] !== 'register') return [`/api/businesses/${business[1]}`, `/api/businesses/${business[1]}/events?limit=3`]
  if (path === '/discover' && query.size === 0) return ['/api/businesses']
  if (path === '/favorites') return ['/api/favorites']
  return []
}

/**
 * Makes those calls as the viewer, inside this process, so that every check applies. A call that fails is left to the page.
 * @throws AppError too_many_requests and unavailable as a call answers them: what the page shows is there, only not now
 */
export async function firstAnswers(app: FastifyInstance, request: FastifyRequest, url: URL): Promise<Boot['answers']> {
  const calls = firstCalls(url.pathname, url.searchParams)
  const answers = await Promise.all(
    calls.map(async (call) => {
      const response = await app.inject({
        url: call,
        headers: { ...innerCall, ...(request.headers.cookie ? { cookie: request.headers.cookie } : {}) },
        remoteAddress: request.ip,
      })
      const { statusCode } = response
      if (statusCode === 429 || statusCode >= 500) {
        const { 'retry-after': retryAfter } = response.headers
        const details = retryAfter === undefined ? {} : { retryAfterSeconds: Number(retryAfter) }
        throw new AppError(statusCode === 429 ? 'too_many_requests' : statusCode === 503 ? 'unavailable' : 'internal', details)
      }
      if (statusCode !== 200) return null
      return { url: call, body: response.json() as unknown, next: nextPage(response.headers.link as string | undefined) }
    }),
  )
  return answers.filter((answer) => answer !== null)
}
