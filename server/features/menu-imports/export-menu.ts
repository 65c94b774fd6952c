import { Readable } from 'node:stream'
import { csvLine, csvStart } from '#contracts/csv.ts'
import { IdOrSlugParams } from '#contracts/ids.ts'
import { menuFieldKeys } from '#contracts/menu-fields.ts'
import { type ItemRow, menuPages, requireKeeper, storedFields } from '#server/features/menus/index.ts'
import { memberFile } from '#server/kernel/member-file.ts'
import type { Api } from '#server/kernel/route.ts'
import { itemCell } from './item-cells.ts'

export const menuExportRoutes = ['GET /api/businesses/:id/menu.csv']

/** The menu as a CSV file that a spreadsheet opens and `menu-imports` accepts unchanged. */
export const serveMenuExport = (api: Api): void =>
  memberFile(api, {
    path: '/api/businesses/:id/menu.csv',
    params: IdOrSlugParams,
    async file({ ctx, actor, params }) {
      const business = await requireKeeper(ctx.db, actor, params.id, ctx.clock.now())
      return {
        name: `${business.slug}-menu.csv`,
        type: 'text/csv; charset=utf-8',
        body: Readable.from(menuLines(menuPages(ctx.db, business.id))),
      }
    },
  })

const linesAtOnce = 200

/** Reads pages as they are sent, so that a slow client costs at most one page of memory. */
export async function* menuLines(pages: AsyncIterable<ItemRow[]> | Iterable<ItemRow[]>): AsyncGenerator<string> {
  yield csvStart + csvLine(menuFieldKeys.map((field) => storedFields[field].fileName))
  for await (const items of pages) {
    for (let at = 0; at < items.length; at += linesAtOnce) {
      yield items
        .slice(at, at + linesAtOnce)
        .map((item) => csvLine(menuFieldKeys.map((field) => itemCell(item, field))))
        .join('')
    }
  }
}
