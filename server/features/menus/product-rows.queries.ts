import { type Selectable, sql } from 'kysely'
import { menuFieldKeys, menuFields } from '#contracts/menu-fields.ts'
import type { DB, Db, Tx } from '#server/db/connect.ts'
import { idsOf } from '#server/db/page-ids.ts'
import { syncMediaUses } from '#server/features/media/index.ts'
import { foldText } from '#server/kernel/fold-text.ts'
import { markForSearch } from '#server/kernel/search.ts'
import { columnsOf, type FieldColumn, sqlTypes, storedFields } from './menu-fields.ts'

const attachmentColumns = ['certificate_id', 'image_id'] as const

export type ItemColumn = FieldColumn | (typeof attachmentColumns)[number]
export type ItemRow = Pick<Selectable<DB['products']>, ItemColumn | 'id'>

/** Columns that are written as a whole row, by hand or in thousands by imports and their undo. */
export const itemColumns: readonly ItemColumn[] = [...columnsOf(menuFieldKeys), ...attachmentColumns]
const columnList = sql.raw([...itemColumns, 'search_text'].join(', '))
const recordType = sql.raw(
  [
    'id uuid',
    'search_text text',
    ...menuFieldKeys.map((key) => `${storedFields[key].column} ${sqlTypes[menuFields[key].kind]}`),
    ...attachmentColumns.map((name) => `${name} uuid`),
  ].join(', '),
)

/** Content of `products.search_text`. */
const searchTextOf = ({ name, brand, strain, sku }: ItemRow) => foldText([name, brand, strain, sku].filter(Boolean).join('\n'))

/** Replaces lone surrogates, which PostgreSQL's JSON rejects, with the replacement character, as in all other text. */
const toRecords = (rows: readonly ItemRow[]) =>
  JSON.stringify(
    rows.map((row) => ({ ...row, search_text: searchTextOf(row) })),
    (_, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value),
  )

/** The caller must have checked for a free SKU and room on the menu; the unique index enforces the SKU. */
export async function insertItems(tx: Tx, businessId: string, rows: readonly ItemRow[], now: Date): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into products (id, business_id, ${columnList}, created_at, updated_at, confirmed_at)
    select id, ${businessId}::uuid, ${columnList}, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
    from json_to_recordset(${toRecords(rows)}::json) as row (${recordType})`.execute(tx)
  await syncItems(
    tx,
    rows.filter((row) => row.image_id !== null || row.certificate_id !== null),
  )
  await markItems(tx, rows)
}

const syncItems = (tx: Tx, rows: readonly ItemRow[]) => syncMediaUses(tx, 'product', idsOf(rows))

const markItems = (tx: Tx, rows: readonly ItemRow[]) => markForSearch(tx, 'product', idsOf(rows))

/** Setting a price or availability also confirms it as of today. */
export async function updateItems(tx: Tx, rows: readonly ItemRow[], now: Date): Promise<void> {
  if (rows.length === 0) return
  const records = toRecords(rows)
  // Two items may swap SKUs, but the unique index checks row by row.
  await sql`
    update products set sku = null
    from json_to_recordset(${records}::json) as row (id uuid, sku text)
    where products.id = row.id and products.sku is not null and products.sku is distinct from row.sku`.execute(tx)
  await sql`
    update products set
      ${sql.raw([...itemColumns, 'search_text'].map((name) => `${name} = row.${name}`).join(', '))},
      version = version + 1,
      updated_at = ${now}::timestamptz,
      confirmed_at = case
        when products.price_cents = row.price_cents and products.is_available = row.is_available
          and products.member_price_cents is not distinct from row.member_price_cents
        then confirmed_at else ${now}::timestamptz end
    from json_to_recordset(${records}::json) as row (${recordType})
    where products.id = row.id`.execute(tx)
  await syncItems(tx, rows)
  await markItems(tx, rows)
}

export type StoredItem = ItemRow & { version: number }

/** Locks the items until the transaction ends, in the order of their IDs. */
export const lockItems = (tx: Tx, businessId: string, ids: readonly string[]): Promise<StoredItem[]> =>
  tx
    .selectFrom('products')
    .select([...itemColumns, 'id', 'version'])
    .where('business_id', '=', businessId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute()

const pageSize = 2000

/** The menu in display order, in pages, so that the server can answer other requests in between. */
export async function* menuPages(db: Db, businessId: string): AsyncGenerator<StoredItem[]> {
  for (let last: MenuKey | null = null; ; ) {
    const page = await menuPart(db, businessId, last)
    yield page.map(({ category_rank, sort_name, ...item }) => item)
    const end = page.at(-1)
    if (page.length < pageSize || !end) return
    last = [end.category_rank, end.sort_name, end.id]
  }
}

/** The whole menu, limited to `maxItems`: see menu-lock.ts. */
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

export async function takenSkus(db: Db, businessId: string, skus: readonly string[], except: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('products')
    .select('sku')
    .where('business_id', '=', businessId)
    .where(sql<boolean>`sku = any(${skus}::text[])`)
    .where(sql<boolean>`id <> all(${except}::uuid[])`)
    .execute()
  return new Set(rows.flatMap((row) => row.sku ?? []))
}
