import * as z from 'zod/mini'
import { isUuid } from '#contracts/addresses.ts'
import * as contract from '#contracts/own-data.endpoints.ts'
import { type Auth, requireProof } from '#server/features/accounts/index.ts'
import { requireAccess } from '#server/kernel/actor.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { rangeOf, sendStored } from '#server/kernel/storage.ts'
import { cancelDeletion, readDeletion, requestDeletion } from './erase-account.ts'
import { exportKey, linkTo, listExports, requireLink, startExport } from './exports.ts'

export { eraseExports } from './exports.ts'
export { ownDataJobs, ownDataSchedules } from './own-data.jobs.ts'

/** Routes under /api that aren't part of the contract. */
export const ownDataRoutes: readonly string[] = ['GET /api/user/exports/:id/file']

export function registerOwnData(api: Api, auth: Auth): void {
  route(api, contract.listDataExports, ({ ctx, actor }) => listExports(ctx, actor.id))
  route(api, contract.startDataExport, ({ ctx, actor }) => startExport(ctx, actor))
  route(api, contract.getDataExportLink, async ({ ctx, actor, params, body }) => {
    await requireProof(ctx, auth, actor, body.password)
    return linkTo(ctx, actor, params.id)
  })
  route(api, contract.getAccountDeletion, ({ ctx, actor }) => readDeletion(ctx.db, actor))
  route(api, contract.requestAccountDeletion, async ({ ctx, actor, body }) => {
    await requireProof(ctx, auth, actor, body.password)
    return requestDeletion(ctx, actor, body)
  })
  route(api, contract.cancelAccountDeletion, ({ ctx, actor }) => cancelDeletion(ctx, actor))
  serveExports(api)
}

const Query = z.object({ until: z.coerce.number(), signature: z.string() })

/** `GET /api/user/exports/:id/file`: a plain URL, so that browsers can save it and resume downloads. */
function serveExports({ app, ctx }: Api): void {
  app.get('/api/user/exports/:id/file', { compress: false }, async (request, reply) => {
    const session = await ctx.sessions.read(request.headers.cookie, { evenOwing: true })
    const actor = session?.actor ?? null
    requireAccess({ access: 'account', whileSuspended: true, whileLeaving: true }, actor)
    if (!actor) return
    await ctx.rateLimiter.consume('read', `account:${actor.id}`)
    const { id } = request.params as { id: string }
    const given = Query.safeParse(request.query)
    if (!isUuid(id)) throw notFound('This export no longer exists.')
    if (!given.success) throw new AppError('forbidden', { message: 'Download it from your settings.' })
    const row = await requireLink(ctx, actor, id, given.data)
    const etag = `"${id}"`
    const range = rangeOf(request, etag)
    const stored = await ctx.storage.get(exportKey(row), range)
    if (!stored) throw notFound('This export no longer exists.')
    reply.headers({
      'cache-control': 'private, no-store',
      'content-disposition': `attachment; filename="${ctx.brand.slug}-data-${row.requested_at.toISOString().slice(0, 10)}.zip"`,
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
      etag,
    })
    return sendStored(reply, stored, { type: 'application/zip', isPart: range !== undefined })
  })
}
