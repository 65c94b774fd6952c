import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import { type MenuFile, MenuFileRefused } from './menu-table.ts'
import type { Fields } from './tidy-cells.ts'

/** How files may name this shop and its owner's other shops, in the form of `keyOf`. */
export type ShopNames = {
  own: ReadonlySet<string>
  others: ReadonlySet<string>
  locations: { main: string; byKey: ReadonlyMap<string, string> }
}

export const noShop: ShopNames = { own: new Set(), others: new Set(), locations: { main: '', byKey: new Map() } }

export const keyOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

type Shop = { id: string; name: string; location: string | null; city: string | null; address: string | null; licenses: string[] | null }

/**
 * Names, places and license numbers that identify this business among those of its owner. A name that several of them share, or a city with
 * several of them, identifies none.
 */
export async function shopNames(db: Db, businessId: string): Promise<ShopNames> {
  const { rows } = await sql<Shop>`
    select id, name, location, city, address, (
      select array_agg(number) from (
        select license_number from licenses where business_id = businesses.id
        union all select license_number from license_verifications where business_id = businesses.id
        union all select stated_license_number from businesses own where own.id = businesses.id) as numbers (number)
      where number is not null) as licenses
    from businesses
    where id = ${businessId}::uuid or id in (
      select others.business_id from business_members as owner
        join business_members as others on others.user_id = owner.user_id and others.role = 'owner'
      where owner.business_id = ${businessId}::uuid and owner.role = 'owner')`.execute(db)
  const own = rows.find(({ id }) => id === businessId)
  const others = new Set(rows.filter(({ id }) => id !== businessId).flatMap(keysOf))
  if (!own) return noShop
  const places = await db
    .selectFrom('locations')
    .select(['id', 'name', 'location', 'city', 'address'])
    .where('business_id', '=', businessId)
    .where('id', '!=', businessId)
    .execute()
  const all = [own, ...places.map((place) => ({ ...place, licenses: null }))].flatMap((place) =>
    [...new Set(keysOf(place))].filter((key) => !others.has(key)).map((key) => [key, place.id] as const),
  )
  const ids = Map.groupBy(all, ([key]) => key)
  const byKey = new Map(all.filter(([key]) => ids.get(key)?.length === 1))
  // The business's own name means its main location, whatever its other locations are called.
  if (!others.has(keyOf(own.name))) byKey.set(keyOf(own.name), businessId)
  return {
    own: new Set([...keysOf(own), ...byKey.keys()].filter((key) => !others.has(key))),
    others,
    locations: { main: businessId, byKey },
  }
}

function keysOf({ name, location, city, address, licenses }: Shop): string[] {
  const places = [city, location, address]
  const texts = [name, ...places, ...places.map((place) => place && `${name} ${place}`), ...(licenses ?? [])]
  return texts.flatMap((text) => (text && keyOf(text)) || [])
}

const columnNames = new Set([
  ...['location', 'locationname', 'store', 'storename', 'shop', 'shopname', 'dispensary', 'dispensaryname', 'site', 'sitename'],
  ...['branch', 'outlet', 'retailer', 'facility', 'license', 'licensenumber', 'licenseno', 'storelicense', 'facilitylicense'],
])

/** The column that names the shop a row is for, or -1. One that names none of the owner's shops may mean anything, such as a shelf. */
export function guessShopColumn({ header, rows }: MenuFile, fields: Fields, { own, others }: ShopNames): number {
  const isShop = (key: string) => own.has(key) || others.has(key)
  return header.findIndex(
    (name, i) => fields[i] === null && columnNames.has(keyOf(name)) && rows.some(({ cells }) => isShop(keyOf(cells[i] ?? ''))),
  )
}

/**
 * Keeps rows that name this shop or none. Rows that name another shop are only counted: each shop imports its own rows from the same file.
 * @throws MenuFileRefused if no rows are left
 */
export function rowsOfShop(file: MenuFile, fields: Fields, { own }: ShopNames): { file: MenuFile; elsewhere: number } {
  const column = fields.indexOf('shop')
  if (column === -1) return { file, elsewhere: 0 }
  const rows = file.rows.filter(({ cells }) => {
    const key = keyOf(cells[column] ?? '')
    return key === '' || own.has(key)
  })
  if (rows.length === 0) {
    throw new MenuFileRefused('No row names this shop. Use its name, city, street or license number, or skip the column with the shop.')
  }
  return { file: { header: file.header, rows }, elsewhere: file.rows.length - rows.length }
}
