import type { FastifyRequest } from 'fastify'
import { addressGroup } from './client-address.ts'
import type { Context } from './context.ts'

/** What addresses have that are no declared call: anybody may ask, but not without end. @throws AppError too_many_requests */
export const admit = (ctx: Pick<Context, 'rateLimiter'>, request: FastifyRequest, allowance: 'read' | 'drawing' = 'read'): Promise<void> =>
  ctx.rateLimiter.consume(allowance, `address:${addressGroup(request.ip)}`)
