import { Readable } from 'node:stream'
import { csvLine, csvStart } from '#contracts/csv.ts'
import { IdOrSlugParams } from '#contracts/fields.ts'
import * as integrations from '#contracts/integrations.endpoints.ts'
import { menuFieldKeys } from '#contracts/menu-fields.ts'
import * as contract from '#contracts/menu-imports.endpoints.ts'
import { itemCount, type MenuRow, menuPages, requireMenuEditor, storedFields } from '#server/features/menus/index.ts'
import { bodyLimits, createGate } from '#server/kernel/gate.ts'
import { decodeCursor, toPage } from '#server/kernel/keyset.ts'
import { memberFile } from '#server/kernel/member-file.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { importRow, importsPage, rejectedRows } from './imports.queries.ts'
import { countPictures } from './menu-pictures.ts'
import { deleteSource, fetchSourceNow, readSource, saveSource } from './menu-source.ts'
import { reasonHeader } from './menu-table.ts'
import { menuCell } from './read-row.ts'
import { startImport, undoImport } from './run-import.ts'
import { beginImport, mapColumns, receiveFile, toImport } from './send-file.ts'
import { readSyncedMenu, removeSyncedItems, syncMenu } from './sync-menu.ts'
import { lastSync, syncById } from './syncs.queries.ts'

export { deleteSourceOf } from './menu-source.ts'
export { menuImportJobs, menuImportSchedules } from './run-import.ts'

export function registerMenuImports(api: Api): void {
  route(api, contract.listMenuImports, async ({ ctx, actor, params, query }) => {
    const { id } = await requireMenuEditor(ctx.db, actor, params.id, ctx.clock.now())
    const rows = await importsPage(ctx.db, id, decodeCursor(query.cursor, ['time', 'id']), query.limit + 1)
    const { items, nextCursor } = toPage(rows, query.limit, (row) => [row.created_at.toISOString(), row.id])
    return { items: items.map(toImport), nextCursor }
  })
  route(api, contract.beginMenuImport, ({ ctx, actor, params, body, idempotency }) => beginImport(ctx, actor, params.id, body, idempotency))
  route(api, contract.sendMenuFile, ({ ctx, actor, params, query, bytes }) =>
    receiveFile(ctx, actor, params.id, params.importId, { offset: query.offset, bytes }),
  )
  route(api, contract.getMenuImport, async ({ ctx, actor, params }) => {
    const { id } = await requireMenuEditor(ctx.db, actor, params.id, ctx.clock.now())
    return toImport(await importRow(ctx.db, id, params.importId))
  })
  route(api, contract.mapMenuColumns, ({ ctx, actor, params, body }) => mapColumns(ctx, actor, params.id, params.importId, body))
  route(api, contract.startMenuImport, ({ ctx, actor, params }) => startImport(ctx, actor, params.id, params.importId))
  route(api, contract.undoMenuImport, ({ ctx, actor, params, body }) => undoImport(ctx, actor, params.id, params.importId, body.anyway))
  route(api, contract.getMenuSource, ({ ctx, actor, params }) => readSource(ctx, actor, params.id))
  route(api, contract.saveMenuSource, ({ ctx, actor, params, body }) => saveSource(ctx, actor, params.id, body))
  route(api, contract.fetchMenuSource, ({ ctx, actor, params }) => fetchSourceNow(ctx, actor, params.id))
  route(api, contract.deleteMenuSource, ({ ctx, actor, params }) => deleteSource(ctx, actor, params.id))
  serveMenuExport(api)
  serveRejectedRows(api)
  registerSyncs(api)
}

/** Each request may send 10 MB, but most are small, and a point of sale may send several at once. */
const arriving = createGate({ ...bodyLimits, perCaller: { maxConcurrent: 2, maxWaiting: 10 } })
/** Parsing a menu takes a few hundred megabytes. */
const syncing = createGate({ maxConcurrent: 2, maxWaiting: 4, maxWaitMs: 20_000 })

function registerSyncs(api: Api): void {
  const send = (kind: 'full_sync' | 'update', endpoint: typeof integrations.syncMenu | typeof integrations.updateSyncedItems) =>
    route(
      api,
      endpoint,
      async ({ ctx, key, body, reply }) => {
        const sync = await syncMenu(ctx, key, kind, body.items)
        if (sync.status === 'running') reply.status(202).header('location', `${integrations.getSyncStatus.path}?sync=${sync.id}`)
        return sync
      },
      { bodyGate: arriving, parseGate: syncing },
    )
  send('full_sync', integrations.syncMenu)
  send('update', integrations.updateSyncedItems)
  route(api, integrations.removeSyncedItems, ({ ctx, key, body }) => removeSyncedItems(ctx, key, body.ids))
  route(api, integrations.getSyncedMenu, ({ ctx, key, query }) => readSyncedMenu(ctx.db, key.businessId, query, ctx.clock.now()))
  route(api, integrations.getSyncStatus, async ({ ctx: { db }, key: { businessId }, query: { sync } }) => ({
    itemCount: await itemCount(db, businessId),
    pictures: await countPictures(db, businessId),
    sync: sync === undefined ? await lastSync(db, businessId) : await syncById(db, businessId, sync),
  }))
  route(api, integrations.getMenuConnection, async ({ ctx, actor, params }) => {
    const { id } = await requireMenuEditor(ctx.db, actor, params.id, ctx.clock.now())
    return { pictures: await countPictures(ctx.db, id), sync: await lastSync(ctx.db, id) }
  })
}

export const menuExportRoutes = ['GET /api/businesses/:id/menu.csv', 'GET /api/businesses/:id/menu-imports/:importId/rejected.csv']

/** Serves only a header if no rows were rejected. */
const serveRejectedRows = (api: Api): void =>
  memberFile(api, {
    path: '/api/businesses/:id/menu-imports/:importId/rejected.csv',
    params: contract.ImportParams,
    rateLimit: 'read',
    async file({ ctx, actor, params }) {
      const { id } = await requireMenuEditor(ctx.db, actor, params.id, ctx.clock.now())
      const { fileName, csv } = await rejectedRows(ctx.db, id, params.importId)
      return {
        name: `${fileName.replace(/\.\w+$/, '').replace(/[^\w -]/g, '')} rejected.csv`,
        type: 'text/csv; charset=utf-8',
        body: Readable.from([csv ?? csvStart + csvLine([reasonHeader])]),
      }
    },
  })

/** Serves a CSV file that spreadsheets can open and imports accept unchanged. */
const serveMenuExport = (api: Api): void =>
  memberFile(api, {
    path: '/api/businesses/:id/menu.csv',
    params: IdOrSlugParams,
    rateLimit: 'drawing',
    async file({ ctx, actor, params }) {
      const business = await requireMenuEditor(ctx.db, actor, params.id, ctx.clock.now())
      return {
        name: `${business.slug}-menu.csv`,
        type: 'text/csv; charset=utf-8',
        body: Readable.from(menuLines(menuPages(ctx.db, business.id))),
      }
    },
  })

const linesAtOnce = 200

/** A line per variant. Reads pages as they are sent, so that a slow client costs at most one page of memory. */
export async function* menuLines(pages: AsyncIterable<MenuRow[]> | Iterable<MenuRow[]>): AsyncGenerator<string> {
  yield csvStart + csvLine(menuFieldKeys.map((field) => storedFields[field].fileName))
  for await (const items of pages) {
    for (let at = 0; at < items.length; at += linesAtOnce) {
      yield items
        .slice(at, at + linesAtOnce)
        .flatMap((item) => item.variants.map((variant) => csvLine(menuFieldKeys.map((field) => menuCell(item, variant, field)))))
        .join('')
    }
  }
}
