import { type RawBuilder, type Selectable, sql } from 'kysely'
import { itemFieldKeys, menuFields } from '#contracts/menu-fields.ts'
import type { DB, Db, Tx } from '#server/db/connect.ts'
import { idsOf, pageIds } from '#server/db/page-ids.ts'
import { locationsForOffers } from '#server/features/locations/index.ts'
import { syncMediaUses } from '#server/features/media/index.ts'
import { foldText } from '#server/kernel/fold-text.ts'
import { markForSearch } from '#server/kernel/search.ts'
import { columnsOf, sqlTypes, storedFields } from './menu-fields.ts'
import { figureColumns, figuresToWrite, repriced, toJson, type VariantRow, variantsOf, writeVariants } from './variant-rows.queries.ts'

const attachmentColumns = ['certificate_id', 'image_id'] as const
/**
 * `external_id` is null if the item was added manually or from a file. `picture_url` is the address of its picture, as the point of sale
 * or a file states it.
 */
const externalColumns = ['external_id', 'picture_url'] as const
const fieldColumns = columnsOf(itemFieldKeys)

export type ItemColumn = (typeof fieldColumns)[number] | (typeof attachmentColumns)[number] | (typeof externalColumns)[number]
export type ItemRow = Pick<Selectable<DB['products']>, ItemColumn | 'id'>
/** An item with its variants, in order. */
export type MenuRow = ItemRow & { variants: readonly VariantRow[] }
export type StoredItem = MenuRow & { version: number }

/** Columns written together, both by edits of single items and by imports of thousands. */
export const itemColumns: readonly ItemColumn[] = [...fieldColumns, ...attachmentColumns, ...externalColumns]
const columnList = sql.raw([...itemColumns, 'search_text'].join(', '))
const figureList = sql.raw(figureColumns.map((name) => `figures.${name}`).join(', '))
const recordType = sql.raw(
  [
    'id uuid',
    'search_text text',
    ...itemFieldKeys.map((key) => `${storedFields[key].column} ${sqlTypes[menuFields[key].kind]}`),
    ...attachmentColumns.map((name) => `${name} uuid`),
    ...externalColumns.map((name) => `${name} text`),
  ].join(', '),
)

const searchTextOf = ({ name, brand, strain, subcategory, variants }: MenuRow) =>
  foldText([name, brand, strain, subcategory, ...variants.map(({ sku }) => sku)].filter(Boolean).join('\n'))

const toRecords = (rows: readonly MenuRow[]) =>
  toJson(rows.map(({ variants, ...row }) => ({ ...row, search_text: searchTextOf({ ...row, variants }) })))

/** Requires SKUs that no other item has, which constraints enforce, and room on the menu. */
export async function insertItems(tx: Tx, businessId: string, rows: readonly MenuRow[], now: Date): Promise<void> {
  if (rows.length === 0) return
  await ensureZone(tx, businessId, rows, now)
  await sql`
    insert into products (id, business_id, ${columnList}, ${sql.raw(figureColumns.join(', '))}, created_at, updated_at, confirmed_at)
    select id, ${businessId}::uuid, ${columnList}, ${figureList}, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
    from json_to_recordset(${toRecords(rows)}::json) as row (${recordType})
      join (${figuresToWrite(businessId, rows, now)}) as figures on figures.product_id = row.id`.execute(tx)
  await writeVariants(tx, businessId, rows)
  const hasMedia = (row: MenuRow) => row.image_id !== null || row.certificate_id !== null
  await followUp(
    tx,
    rows.map((row) => ({ id: row.id, differs_in_search: true, differs_in_media: hasMedia(row) })),
  )
}

/** Sale periods use the main location's time zone, so it needs a row. */
async function ensureZone(tx: Tx, businessId: string, rows: readonly MenuRow[], now: Date): Promise<void> {
  const hasPeriod = rows.some(({ variants }) => variants.some((each) => each.sale_starts_on !== null || each.sale_ends_on !== null))
  if (hasPeriod) await locationsForOffers(tx, businessId, [businessId], now)
}

/** The columns that an update of `products` returns for `followUp`. Expects the rows before the update as `before`. */
export const effects: RawBuilder<unknown> = sql`products.id,
  ${differs([...fieldColumns, 'is_available'])} as differs_in_search, ${differs(attachmentColumns)} as differs_in_media`
export type Effects = { id: string; differs_in_search: boolean; differs_in_media: boolean }

function differs(columns: readonly string[]): RawBuilder<unknown> {
  const all = (table: string) => sql.raw(columns.map((name) => `${table}.${name}`).join())
  return sql`(${all('before')}) is distinct from (${all('products')})`
}

/** Updates the data derived from items. A daily sync changes mostly prices, which don't affect that data. */
export async function followUp(tx: Tx, rows: readonly Effects[]): Promise<void> {
  await syncMediaUses(tx, 'product', idsOf(rows.filter((row) => row.differs_in_media)))
  await markForSearch(tx, 'product', idsOf(rows.filter((row) => row.differs_in_search)))
}

/** Changing a price, stock or availability also confirms the item; with `confirmsAll`, so does every other change. */
export async function updateItems(tx: Tx, businessId: string, rows: readonly MenuRow[], now: Date, confirmsAll = false): Promise<void> {
  if (rows.length === 0) return
  await ensureZone(tx, businessId, rows, now)
  const confirmed = confirmsAll ? idsOf(rows) : await repriced(tx, rows)
  await writeVariants(tx, businessId, rows)
  const updated = await sql<Effects>`
    update products set
      ${sql.raw([...itemColumns, 'search_text'].map((name) => `${name} = row.${name}`).join(', '))},
      ${sql.raw(figureColumns.map((name) => `${name} = figures.${name}`).join(', '))},
      version = products.version + 1,
      updated_at = ${now}::timestamptz,
      confirmed_at = case when products.id = any(${confirmed}::uuid[]) then ${now}::timestamptz else products.confirmed_at end
    from json_to_recordset(${toRecords(rows)}::json) as row (${recordType})
      join (${figuresToWrite(businessId, rows, now)}) as figures on figures.product_id = row.id
      join products as before on before.id = row.id
    where products.id = row.id
    returning ${effects}`.execute(tx)
  await followUp(tx, updated.rows)
}

/** The menu must be locked. Versions don't change, so that no one's unsaved changes conflict with a picture. */
export async function setPictures(tx: Tx, pictures: readonly { id: string; image_id: string | null }[]): Promise<void> {
  if (pictures.length === 0) return
  await sql`
    update products set image_id = row.image_id
    from json_to_recordset(${toJson(pictures)}::json) as row (id uuid, image_id uuid)
    where products.id = row.id`.execute(tx)
  await syncMediaUses(tx, 'product', idsOf(pictures))
}

const withVariants = async <Row extends { id: string }>(db: Db, rows: readonly Row[]) => {
  const variants = await variantsOf(db, idsOf(rows))
  return rows.map((row) => ({ ...row, variants: variants.get(row.id) ?? [] }))
}

/** Locks the items until the transaction ends, in the order of their IDs. */
export async function lockItems(tx: Tx, businessId: string, ids: readonly string[]): Promise<StoredItem[]> {
  const rows = await tx
    .selectFrom('products')
    .select([...itemColumns, 'id', 'version'])
    .where('business_id', '=', businessId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute()
  return withVariants(tx, rows)
}

/** Returns items in the order of `ids`, as their editors and points of sale see them, without deleted ones. */
export async function itemsById(db: Db, ids: readonly string[]): Promise<StoredItem[]> {
  const rows = await db
    .selectFrom('products')
    .select([...itemColumns, 'id', 'version'])
    .where(sql<boolean>`id = ${pageIds(ids)}`)
    .execute()
  const byId = new Map((await withVariants(db, rows)).map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

export async function deleteItems(tx: Tx, businessId: string, ids: readonly string[]): Promise<void> {
  await tx.deleteFrom('products').where('business_id', '=', businessId).where(sql<boolean>`id = any(${ids}::uuid[])`).execute()
}

export async function confirmItems(tx: Tx, businessId: string, ids: readonly string[], now: Date): Promise<void> {
  await tx
    .updateTable('products')
    .set({ confirmed_at: now })
    .where('business_id', '=', businessId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute()
}

const pageSize = 2000

/** Yields the menu in display order, in pages, so that the server can answer other requests in between. */
export async function* menuPages(db: Db, businessId: string): AsyncGenerator<StoredItem[]> {
  for (let last: MenuKey | null = null; ; ) {
    const page = await menuPart(db, businessId, last)
    yield await withVariants(
      db,
      page.map(({ category_rank, sort_name, ...item }) => item),
    )
    const end = page.at(-1)
    if (page.length < pageSize || !end) return
    last = [end.category_rank, end.sort_name, end.id]
  }
}

/** Returns at most `maxItems` items: see menu-lock.ts. */
export async function wholeMenu(db: Db, businessId: string): Promise<StoredItem[]> {
  const menu: StoredItem[] = []
  for await (const page of menuPages(db, businessId)) for (const item of page) menu.push(item)
  return menu
}

type MenuKey = readonly [categoryRank: number, name: string, id: string]

const menuPart = (db: Db, businessId: string, after: MenuKey | null) =>
  db
    .selectFrom('products')
    .select([...itemColumns, 'id', 'version', 'category_rank', sql<string>`lower(name)`.as('sort_name')])
    .where('business_id', '=', businessId)
    .$if(after !== null, (query) =>
      query.where(sql<boolean>`(category_rank, lower(name), id) > (${after?.[0]}::integer, ${after?.[1]}, ${after?.[2]}::uuid)`),
    )
    .orderBy('category_rank')
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .limit(pageSize)
    .execute()
