import * as z from 'zod/mini'
import * as photos from '#contracts/archive-photos.endpoints.ts'
import { csvFile } from '#contracts/csv.ts'
import { flag, Id, IdParams } from '#contracts/fields.ts'
import * as contract from '#contracts/hunt-archive.endpoints.ts'
import { ArchiveTable, type HuntDocument } from '#contracts/hunt-archive.endpoints.ts'
import { maxArchiveBytes } from '#contracts/limits.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { requireHunt } from '#server/features/hunts/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { bodyLimits, createGate } from '#server/kernel/gate.ts'
import { memberFile } from '#server/kernel/member-file.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { forgetAwaitedPhotos, listAwaitedPhotos, measureHuntPhotos, photoRows, restorePhoto, zipOf } from './archive-photos.ts'
import type { ArchiveList } from './archive-table.ts'
import { csvTable, notInTables } from './csv-tables.ts'
import { importGate, importHunt } from './import-hunt.ts'
import { findProof, listProofs, proveHunt } from './proofs.ts'
import { documentGate, readDocument } from './read-document.ts'

export { readDocument } from './read-document.ts'

const jsonPath = '/api/pheno-hunts/:id/export.json'
const zipPath = '/api/pheno-hunts/:id/export.zip'
const csvPath = '/api/pheno-hunts/:id/export/:table'

/** Routes under /api that aren't part of the contract. */
export const huntArchiveRoutes: readonly string[] = [`GET ${jsonPath}`, `GET ${zipPath}`, `GET ${csvPath}`]

/** Each request may send 32 MB. */
const arriving = createGate({ ...bodyLimits, maxConcurrent: 3 })

const CsvParams = z.object({
  id: Id,
  table: z.pipe(
    z.transform((name: unknown) => (typeof name === 'string' && name.endsWith('.csv') ? name.slice(0, -'.csv'.length) : undefined)),
    ArchiveTable,
  ),
})

export function registerHuntArchive(api: Api, { databaseUrl }: { databaseUrl: string }): void {
  route(
    api,
    contract.importHunt,
    ({ ctx, actor, bytes, request }) => {
      const key = request.headers['idempotency-key']
      const sent = { bytes, idempotencyKey: key?.toString(), path: request.routeOptions.url ?? '' }
      return importGate(() => importHunt(ctx, databaseUrl, actor, sent))
    },
    { bodyGate: arriving },
  )
  route(api, photos.measureHuntPhotos, ({ ctx, actor, params }) => measureHuntPhotos(ctx, actor, params.id))
  route(api, photos.listAwaitedPhotos, ({ ctx, actor, params, query }) => listAwaitedPhotos(ctx.db, actor, params.id, query))
  route(api, photos.restorePhoto, ({ ctx, actor, params, body }) => restorePhoto(ctx, actor, params.id, body.mediaId))
  route(api, photos.forgetAwaitedPhotos, ({ ctx, actor, params }) => forgetAwaitedPhotos(ctx, actor, params.id))
  route(api, contract.proveHunt, ({ ctx, actor, params }) => proveHunt(ctx, actor, params.id))
  route(api, contract.listHuntProofs, ({ ctx, actor, params }) => listProofs(ctx.db, actor, params.id))
  route(api, contract.findHuntProof, ({ ctx, params }) => findProof(ctx.db, params.hash))

  memberFile(api, {
    path: jsonPath,
    params: IdParams,
    query: HuntFileQuery,
    rateLimit: 'drawing',
    async file({ ctx, actor, params, query }) {
      const { document } = await documentFor(ctx, actor, params.id, { hasNames: query.names === true })
      return { name: 'hunt.json', type: 'application/json; charset=utf-8', body: textOf(document) }
    },
  })
  memberFile(api, {
    path: zipPath,
    params: IdParams,
    query: HuntFileQuery,
    rateLimit: 'drawing',
    async file({ ctx, actor, params, query }) {
      const { document, rows } = await documentFor(ctx, actor, params.id, { hasNames: query.names === true, hasPhotos: true })
      const { body, size } = await zipOf(ctx, textOf(document), rows)
      // Given the length, the browser shows progress and notices a broken download.
      return { name: 'hunt.zip', type: 'application/zip', body, headers: size === null ? {} : { 'content-length': `${size}` } }
    },
  })
  memberFile(api, {
    path: csvPath,
    params: CsvParams,
    rateLimit: 'drawing',
    async file({ ctx, actor, params }) {
      const { document } = await documentFor(ctx, actor, params.id, { without: notInTables })
      const { head, lines } = csvTable(document, params.table)
      return { name: `${params.table}.csv`, type: 'text/csv; charset=utf-8', body: csvFile(head, lines) }
    },
  })
}

const HuntFileQuery = z.object({ names: z.optional(flag()) })

/**
 * Indented if an import accepts that many bytes.
 * @throws AppError conflict if an import would refuse even the shortest text
 */
function textOf(document: HuntDocument): string {
  for (const indent of [1, 0]) {
    const text = `${JSON.stringify(document, null, indent)}\n`
    if (Buffer.byteLength(text) <= maxArchiveBytes) return text
  }
  throw new AppError('conflict', {
    message: `This hunt is larger than ${maxArchiveBytes / 1024 / 1024} MB, which is more than an import accepts. Save its tables and its climate as CSV instead.`,
  })
}

type Parts = { without?: readonly ArchiveList[]; hasNames?: boolean; hasPhotos?: boolean }

/**
 * Writers only: the document includes data hidden from other viewers, such as earlier versions of logs.
 * @throws AppError not_found, forbidden, conflict if the hunt is too large for a document, unavailable
 */
async function documentFor(ctx: Context, actor: Actor, huntId: string, { without, hasNames = false, hasPhotos = false }: Parts) {
  await requireHunt(ctx.db, actor, huntId, 'write')
  return documentGate(() =>
    inTransaction(
      ctx.db,
      async (tx) => {
        const { id } = await requireHunt(tx, actor, huntId, 'write')
        const rows = hasPhotos ? await photoRows(tx, id) : []
        const parts = { ...(without && { without }), ...(hasNames && { namesFor: actor }), ...(hasPhotos && { photos: rows }) }
        return { rows, document: await readDocument(tx, id, ctx.clock.now(), parts) }
      },
      { isolation: 'repeatable read' },
    ),
  )
}
