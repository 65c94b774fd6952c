import type { FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import { addressGroup } from '../../kernel/client-address.ts'
import type { Context } from '../../kernel/context.ts'
import { invalidInput } from '../../kernel/errors.ts'

/** What these addresses have in place of a declared call: anybody may ask, but not without end. @throws AppError too_many_requests */
export const admit = (ctx: Pick<Context, 'rateLimiter'>, request: FastifyRequest, allowance: 'read' | 'drawing' = 'read'): Promise<void> =>
  ctx.rateLimiter.consume(allowance, `address:${addressGroup(request.ip)}`)

/** @throws AppError invalid_input */
export function readQuery<Schema extends z.ZodMiniType>(schema: Schema, query: unknown): z.output<Schema> {
  const result = schema.safeParse(query ?? {})
  if (!result.success) throw invalidInput(result.error.issues)
  return result.data
}
