import * as contract from '#contracts/menu-imports.ts'
import { requireKeeper } from '#server/features/menus/index.ts'
import { decodeCursor, toPage } from '#server/kernel/keyset.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { serveMenuExport } from './export-menu.ts'
import { importRow, importsPage } from './imports.queries.ts'
import { toImport } from './imports.view.ts'
import { startImport, undoImport } from './run-import.ts'
import { beginImport, mapColumns, receiveFile } from './send-file.ts'

export { menuExportRoutes } from './export-menu.ts'
export { menuImportJobs, menuImportSchedules } from './imports.jobs.ts'

export function registerMenuImports(api: Api): void {
  route(api, contract.listMenuImports, async ({ ctx, actor, params, query }) => {
    const { id } = await requireKeeper(ctx.db, actor, params.id, ctx.clock.now())
    const rows = await importsPage(ctx.db, id, decodeCursor(query.cursor, ['time', 'id']), query.limit + 1)
    const { items, nextCursor } = toPage(rows, query.limit, (row) => [row.created_at.toISOString(), row.id])
    return { items: items.map(toImport), nextCursor }
  })
  route(api, contract.beginMenuImport, ({ ctx, actor, params, body, idempotency }) => beginImport(ctx, actor, params.id, body, idempotency))
  route(api, contract.sendMenuFile, ({ ctx, actor, params, query, bytes }) =>
    receiveFile(ctx, actor, params.id, params.importId, { offset: query.offset, bytes }),
  )
  route(api, contract.getMenuImport, async ({ ctx, actor, params }) => {
    const { id } = await requireKeeper(ctx.db, actor, params.id, ctx.clock.now())
    return toImport(await importRow(ctx.db, id, params.importId))
  })
  route(api, contract.mapMenuColumns, ({ ctx, actor, params, body }) => mapColumns(ctx, actor, params.id, params.importId, body))
  route(api, contract.startMenuImport, ({ ctx, actor, params }) => startImport(ctx, actor, params.id, params.importId))
  route(api, contract.undoMenuImport, ({ ctx, actor, params, body }) => undoImport(ctx, actor, params.id, params.importId, body.anyway))
  serveMenuExport(api)
}
