import { type Selectable, sql } from 'kysely'
import type { Db, Tx } from '#server/db/connect.ts'
import type { DB } from '#server/db/schema.ts'
import type { LicenseRow } from './license-row.ts'

/** Every step of an import locks this first, so concurrent imports take turns, batch by batch. */
export const lockRegister = (tx: Tx) =>
  tx.selectFrom('license_register').select('id').where('id', '=', 1).forUpdate().executeTakeFirstOrThrow()

export const storedLicenses = (db: Db, keys: string[]) =>
  db
    .selectFrom('licenses')
    .select(['id', 'register_key', 'content_hash', 'source_date', 'missing_since'])
    .where(sql<boolean>`register_key = any(${keys}::text[])`)
    .execute()

export type NewLicense = LicenseRow & { id: string }
type Batch = { source: string; importId: string; now: Date }

/** The licenses' listings are recomputed later. */
export async function writeLicenses(tx: Tx, licenses: NewLicense[], { source, importId, now }: Batch): Promise<void> {
  if (licenses.length === 0) return
  await sql`
    insert into licenses (${columnList}, source, last_import_id, listing_due, created_at, updated_at)
    select ${columnList}, ${source}, ${importId}::uuid, true, ${now}::timestamptz, ${now}::timestamptz
    from json_to_recordset(${JSON.stringify(licenses)}::json) as row (${sql.raw(typedColumns)})
    on conflict (register_key) do update set
      ${sql.raw(written.map((column) => `${column} = excluded.${column}`).join(', '))},
      source = excluded.source, last_import_id = excluded.last_import_id,
      listing_due = true, missing_since = null, updated_at = excluded.updated_at`.execute(tx)
}

/** Updates only the date and the source of licenses that a newer file repeats unchanged. */
export async function confirmLicenses(tx: Tx, licenses: { id: string; source_date: string | null }[], source: string): Promise<void> {
  if (licenses.length === 0) return
  await sql`
    update licenses set source_date = row.source_date, source = ${source}
    from json_to_recordset(${JSON.stringify(licenses)}::json) as row (id uuid, source_date date)
    where licenses.id = row.id`.execute(tx)
}

const types: Record<keyof NewLicense, string> = {
  id: 'uuid',
  register_key: 'text',
  register_place: 'text',
  address_key: 'text',
  name_key: 'text',
  state: 'text',
  license_number: 'text',
  license_number_key: 'text',
  business_name: 'text',
  license_type: 'text',
  business_type: 'text',
  status: 'text',
  standing: 'text',
  designation: 'text',
  street: 'text',
  city: 'text',
  county: 'text',
  zip: 'text',
  phone: 'text',
  website: 'text',
  latitude: 'float8',
  longitude: 'float8',
  geo_precision: 'text',
  authority: 'text',
  authority_id: 'text',
  source_date: 'date',
  expires_on: 'date',
  content_hash: 'text',
}
const columns = Object.keys(types)
const columnList = sql.raw(columns.join(', '))
const typedColumns = Object.entries(types)
  .map(([column, type]) => `${column} ${type}`)
  .join(', ')
const written = columns.filter((column) => column !== 'id' && column !== 'register_key')

/**
 * Licenses of an authority, for these business types, that only an older file listed: the authority may have removed them. A
 * license without a date is as old as its last change here.
 */
export const olderLicenses = (
  db: Db,
  group: { state: string; authority: string | null; types: LicenseRow['business_type'][]; before: string },
  afterId: string,
  limit: number,
) =>
  db
    .selectFrom('licenses')
    .select(['id', 'register_key', 'license_number_key', 'name_key'])
    .where('state', '=', group.state)
    .where('authority', 'is not distinct from', group.authority)
    .where('business_type', 'in', group.types)
    .where('missing_since', 'is', null)
    .where(sql<boolean>`coalesce(source_date, (updated_at at time zone 'UTC')::date) < ${group.before}::date`)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .execute()

export async function markMissing(tx: Tx, ids: string[], since: string, now: Date): Promise<void> {
  await tx
    .updateTable('licenses')
    .set({ standing: 'missing', missing_since: since, listing_due: true, updated_at: now })
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute()
}

/**
 * Clears the place of licenses whose address is shared by more than `max` businesses of one authority: the regulator's own
 * office (402 stores "at" 3400 Vassar Dr NE), a lawyer's, a mailbox. The real location of those businesses is unknown, so they
 * stay in the register without a listing. Other licenses at such an address become due if they had a place. Returns how many
 * licenses lost their place.
 */
export async function clearOffices(tx: Tx, licenses: PlacedLicense[], max: number): Promise<number> {
  const placed = licenses.filter((license) => license.register_place !== null)
  const addresses = [...new Set(placed.flatMap((license) => license.address_key ?? []))]
  const offices = await tx
    .selectFrom('licenses')
    .select('address_key')
    .where(sql<boolean>`address_key = any(${addresses}::text[])`)
    .groupBy('address_key')
    .having((eb) => eb.fn.count('name_key').distinct(), '>', max)
    .execute()
  if (offices.length === 0) return 0
  const keys = new Set(offices.map((office) => office.address_key))
  const there = placed.filter((license) => keys.has(license.address_key)).map((license) => license.id)
  await tx.updateTable('licenses').set({ register_place: null }).where(sql<boolean>`id = any(${there}::uuid[])`).execute()
  await tx
    .updateTable('licenses')
    .set({ listing_due: true })
    .where(sql<boolean>`address_key = any(${[...keys]}::text[])`)
    .where('register_place', 'is not', null)
    .where('listing_due', '=', false)
    .execute()
  return there.length
}

type PlacedLicense = { id: string; address_key: string | null; register_place: string | null }

/** Autovacuum does this within minutes. Until then, the planner assumes small tables and scans all of them to find a few rows. */
export const updateStatistics = (db: Db) => sql`analyze businesses, licenses`.execute(db)

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
