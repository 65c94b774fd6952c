import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { addressGroup } from './client-address.ts'
import type { Context } from './context.ts'

/** Rate-limits addresses without a contract. They need no sign-in. @throws AppError too_many_requests */
export const admit = (
  ctx: Pick<Context, 'rateLimiter'>,
  request: FastifyRequest,
  allowance: 'read' | 'write' | 'page' | 'drawing' = 'read',
): Promise<void> => ctx.rateLimiter.consume(allowance, `address:${addressGroup(request.ip)}`)

/** Marks calls that this process makes to itself, such as a page's first calls. The value is secret. */
export const innerCall = { 'inner-call': randomUUID() } as const

export const isInnerCall = (request: FastifyRequest): boolean => request.headers['inner-call'] === innerCall['inner-call']
