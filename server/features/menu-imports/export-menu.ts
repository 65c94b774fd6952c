import { Readable } from 'node:stream'
import { IdOrSlug } from '../../../contracts/ids.ts'
import { type MenuFileField, menuFileFields } from '../../../contracts/menu-imports.ts'
import { requireAccess } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Api } from '../../kernel/route.ts'
import { type ItemRow, menuPages, requireKeeper } from '../menus/index.ts'
import { guardCell } from './guarded-cells.ts'
import { itemCells } from './item-cells.ts'

export const menuExportRoutes = ['GET /api/businesses/:id/menu.csv']

/** Such as `guessColumns` knows. */
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

/** The menu as a file that a spreadsheet opens and `menu-imports` takes back without a change. */
export function serveMenuExport({ app, ctx }: Api): void {
  app.get('/api/businesses/:id/menu.csv', async (request, reply) => {
    const session = await ctx.sessions.read(request.headers.cookie)
    const actor = session?.actor ?? null
    requireAccess('member', actor)
    if (!actor) return
    await ctx.rateLimiter.consume('read', `account:${actor.id}`)
    const id = IdOrSlug.safeParse((request.params as { id: string }).id)
    if (!id.success) throw notFound()
    const business = await requireKeeper(ctx.db, actor, id.data, ctx.clock.now())
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${business.slug}-menu.csv"`)
      .header('cache-control', 'private, no-store')
      .header('x-content-type-options', 'nosniff')
      .send(Readable.from(menuLines(menuPages(ctx.db, business.id))))
  })
}

const linesAtOnce = 200

/**
 * With a byte order mark, without which Excel takes it for another alphabet. The pages are read as they are sent: of a menu that
 * somebody takes slowly, no more than one is held.
 */
export async function* menuLines(pages: AsyncIterable<ItemRow[]> | Iterable<ItemRow[]>): AsyncGenerator<string> {
  yield `\uFEFF${toLine(menuFileFields.map((field) => names[field]))}`
  for await (const items of pages) {
    for (let at = 0; at < items.length; at += linesAtOnce) {
      yield items
        .slice(at, at + linesAtOnce)
        .map((item) => toLine(menuFileFields.map((field) => guardCell(itemCells[field](item)))))
        .join('')
    }
  }
}

const toLine = (cells: readonly string[]): string => `${cells.map(quoted).join(',')}\r\n`
const quoted = (cell: string): string => (/[",;\t|\r\n]/.test(cell) || cell !== cell.trim() ? `"${cell.replaceAll('"', '""')}"` : cell)
