import type { Db } from '#server/db/connect.ts'
import { newId } from '#server/kernel/ids.ts'
import { addBusiness, type TestBusiness } from './businesses.ts'

let listings = 0
type Facts = { name?: string; number?: string; website?: string | null; phone?: string | null; city?: string }

/** A register listing: an unclaimed business with its license. */
export async function addListing(
  db: Db,
  { name, number, website = 'https://www.greenhills.test.example.com', phone = '(303) 555-0100', city = 'Denver' }: Facts = {},
): Promise<TestBusiness> {
  const count = ++listings
  const called = name ?? `Listing ${count}`
  const business = await addBusiness(db, {
    name: called,
    slug: `listing-${count}`,
    city,
    register_place: `place ${count}`,
    website,
    phone,
  })
  await db
    .insertInto('licenses')
    .values({
      id: newId(),
      register_key: `key ${count}`,
      business_id: business.id,
      name_key: called.toLowerCase(),
      state: 'CO',
      license_number: number ?? `402R-${count}`,
      license_number_key: (number ?? `402R-${count}`).replace(/\W/g, ''),
      business_name: called,
      business_type: 'dispensary',
      standing: 'listed',
      website,
      phone,
      source: 'test',
      content_hash: '',
      last_import_id: await importOf(db),
    })
    .execute()
  return business
}

async function importOf(db: Db): Promise<string> {
  const found = await db.selectFrom('license_imports').select('id').executeTakeFirst()
  const id = found?.id ?? newId()
  if (!found) await db.insertInto('license_imports').values({ id, source: 'test', started_at: new Date() }).execute()
  return id
}
