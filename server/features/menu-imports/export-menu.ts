import { Readable } from 'node:stream'
import { csvLine, csvStart } from '#contracts/csv.ts'
import { IdOrSlugParams } from '#contracts/ids.ts'
import { type MenuFileField, menuFileFields } from '#contracts/menu-imports.ts'
import { type ItemRow, menuPages, requireKeeper } from '#server/features/menus/index.ts'
import { memberFile } from '#server/kernel/member-file.ts'
import type { Api } from '#server/kernel/route.ts'
import { itemCells } from './item-cells.ts'

export const menuExportRoutes = ['GET /api/businesses/:id/menu.csv']

/** Column names that `guessColumns` recognizes. */
const names: Readonly<Record<MenuFileField, string>> = {
  sku: 'SKU',
  name: 'Name',
  category: 'Category',
  strain: 'Strain',
  brand: 'Brand',
  price: 'Price',
  memberPrice: 'Member price',
  description: 'Description',
  thc: 'THC',
  cbd: 'CBD',
  potencyUnit: 'Potency unit',
  weight: 'Weight',
  weightUnit: 'Weight unit',
  batch: 'Batch',
  isAvailable: 'Available',
}

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
  yield csvStart + csvLine(menuFileFields.map((field) => names[field]))
  for await (const items of pages) {
    for (let at = 0; at < items.length; at += linesAtOnce) {
      yield items
        .slice(at, at + linesAtOnce)
        .map((item) => csvLine(menuFileFields.map((field) => itemCells[field](item))))
        .join('')
    }
  }
}
