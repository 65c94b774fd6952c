import * as z from 'zod/mini'
import { csvFile } from '#contracts/csv.ts'
import { Id, IdParams } from '#contracts/fields.ts'
import * as contract from '#contracts/hunt-archive.endpoints.ts'
import { ArchiveTable } from '#contracts/hunt-archive.endpoints.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { requireHunt } from '#server/features/hunts/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { memberFile } from '#server/kernel/member-file.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { csvTable, notInTables } from './csv-tables.ts'
import { importGate, importHunt } from './import-hunt.ts'
import { findProof, listProofs, proveHunt } from './proofs.ts'
import { documentGate, readDocument } from './read-document.ts'

export { readDocument } from './read-document.ts'

const jsonPath = '/api/pheno-hunts/:id/export.json'
const csvPath = '/api/pheno-hunts/:id/export/:table'

/** Routes under /api that are not part of the contract. */
export const huntArchiveRoutes: readonly string[] = [`GET ${jsonPath}`, `GET ${csvPath}`]

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
      return importHunt(ctx, databaseUrl, actor, { bytes, idempotencyKey: key?.toString(), path: request.routeOptions.url ?? '' })
    },
    { bodyGate: importGate },
  )
  route(api, contract.proveHunt, ({ ctx, actor, params }) => proveHunt(ctx, actor, params.id))
  route(api, contract.listHuntProofs, ({ ctx, actor, params }) => listProofs(ctx.db, actor, params.id))
  route(api, contract.findHuntProof, ({ ctx, params }) => findProof(ctx.db, params.hash))

  memberFile(api, {
    path: jsonPath,
    params: IdParams,
    file: async ({ ctx, actor, params }) => ({
      name: 'hunt.json',
      type: 'application/json; charset=utf-8',
      body: `${JSON.stringify(await documentFor(ctx, actor, params.id), null, 1)}\n`,
    }),
  })
  memberFile(api, {
    path: csvPath,
    params: CsvParams,
    async file({ ctx, actor, params }) {
      const { head, lines } = csvTable(await documentFor(ctx, actor, params.id, { without: notInTables }), params.table)
      return { name: `${params.table}.csv`, type: 'text/csv; charset=utf-8', body: csvFile(head, lines) }
    },
  })
}

/**
 * Writers only: the document includes data hidden from other viewers, such as earlier versions of logs.
 * @throws AppError not_found, forbidden, conflict if the hunt is too large for a document, too_many_requests, unavailable
 */
async function documentFor(ctx: Context, actor: Actor, huntId: string, parts: Parameters<typeof readDocument>[3] = {}) {
  await requireHunt(ctx.db, actor, huntId, 'write')
  await ctx.rateLimiter.consume('drawing', `account:${actor.id}`)
  return documentGate(() =>
    inTransaction(
      ctx.db,
      async (tx) => {
        const { id } = await requireHunt(tx, actor, huntId, 'write')
        return readDocument(tx, id, ctx.clock.now(), parts)
      },
      { isolation: 'repeatable read' },
    ),
  )
}
