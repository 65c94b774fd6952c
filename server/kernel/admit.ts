import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { addressGroup } from './client-address.ts'
import type { Context } from './context.ts'

/** What addresses have that are no declared call: anybody may ask, but not without end. @throws AppError too_many_requests */
export const admit = (
  ctx: Pick<Context, 'rateLimiter'>,
  request: FastifyRequest,
  allowance: 'read' | 'write' | 'page' | 'drawing' = 'read',
): Promise<void> => ctx.rateLimiter.consume(allowance, `address:${addressGroup(request.ip)}`)

/** Marks a call that this process makes to itself, as a page does for its first answers. No one outside knows the value. */
export const innerCall = { 'inner-call': randomUUID() } as const

export const isInnerCall = (request: FastifyRequest): boolean => request.headers['inner-call'] === innerCall['inner-call']
