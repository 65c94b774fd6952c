import { type Selectable, sql } from 'kysely'
import type { Tx } from '#server/db/connect.ts'
import type { DB } from '#server/db/schema.ts'

export type LicenseAtPlace = Selectable<DB['licenses']>

export const dueLicenses = (tx: Tx, limit: number) =>
  tx
    .selectFrom('licenses')
    .select(['id', 'register_place', 'address_key', 'business_id'])
    .where('listing_due', '=', true)
    .orderBy('id')
    .limit(limit)
    .execute()

export const licensesAround = (tx: Tx, places: string[], businessIds: string[]): Promise<LicenseAtPlace[]> =>
  tx
    .selectFrom('licenses')
    .selectAll()
    .where((eb) => eb.or([sql<boolean>`register_place = any(${places}::text[])`, sql<boolean>`business_id = any(${businessIds}::uuid[])`]))
    .execute()

export async function settleLicenses(tx: Tx, licenses: { id: string; business_id: string | null }[]): Promise<void> {
  if (licenses.length === 0) return
  await sql`
    update licenses set business_id = row.business_id, listing_due = false
    from json_to_recordset(${JSON.stringify(licenses)}::json) as row (id uuid, business_id uuid)
    where licenses.id = row.id`.execute(tx)
}
