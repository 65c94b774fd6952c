import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import { type Actor, requireAccess } from './actor.ts'
import type { Context } from './context.ts'
import { invalidInput, notFound } from './errors.ts'
import type { Api } from './route.ts'

type File = { name: string; type: string; body: string | Buffer | Readable; headers?: Record<string, string> }

type FileRoute<Params extends z.ZodMiniType, Query extends z.ZodMiniType> = {
  path: `/api/${string}`
  params: Params
  query?: Query
  /** `drawing` for a file that takes a lot of work, such as a document or all rows of a large table. */
  rateLimit: 'read' | 'drawing'
  /** Authorizes the request and creates the file, as a stream if it can be long. */
  file(call: { ctx: Context; actor: Actor; params: z.output<Params>; query: z.output<Query>; request: FastifyRequest }): Promise<File>
}

/**
 * A file for signed-in people at a plain URL, so the browser downloads it. The steps are those of a contract call: session → access → rate
 * limit → parse → authorize.
 */
export function memberFile<Params extends z.ZodMiniType, Query extends z.ZodMiniType = z.ZodMiniType<Record<string, never>>>(
  { app, ctx }: Api,
  route: FileRoute<Params, Query>,
): void {
  app.get(route.path, async (request, reply) => {
    const session = await ctx.sessions.read(request.headers.cookie, { evenOwing: true })
    const actor = session?.actor ?? null
    requireAccess({ access: 'member' }, actor)
    if (!actor) return
    await ctx.rateLimiter.consume(route.rateLimit, `account:${actor.id}`)
    const params = route.params.safeParse(request.params)
    if (!params.success) throw notFound()
    const query = route.query?.safeParse(request.query)
    if (query && !query.success) throw invalidInput(query.error.issues)
    const {
      name,
      type,
      body,
      headers = {},
    } = await route.file({
      ctx,
      actor,
      params: params.data,
      query: query?.data as z.output<Query>,
      request,
    })
    return reply
      .type(type)
      .headers({
        'content-disposition': `attachment; filename="${name}"`,
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
        ...headers,
      })
      .send(body)
  })
}
