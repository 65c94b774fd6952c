import type { Insertable } from 'kysely'
import type { DB, Db } from '#server/db/connect.ts'
import { nameKey } from '#server/kernel/fold-text.ts'
import { newId } from '#server/kernel/ids.ts'

export type SmallLicense = { number: string; name: string; state: string; website: string }

/** Loads a register with only these licenses, so a server starting on this database doesn't load the shipped register. */
export async function loadSmallRegister(db: Db, licenses: SmallLicense[] = []): Promise<void> {
  const importId = newId()
  const now = new Date()
  await db.insertInto('license_imports').values({ id: importId, source: 'test', started_at: now, finished_at: now }).execute()
  const rows = licenses.map(
    ({ number, name, state, website }): Insertable<DB['licenses']> => ({
      id: newId(),
      register_key: `test:${number}`,
      name_key: nameKey(name),
      state,
      license_number: number,
      license_number_key: number.replace(/\W/g, ''),
      business_name: name,
      business_type: 'dispensary',
      standing: 'listed',
      authority: 'Colorado Marijuana Enforcement Division',
      source: 'Public register',
      source_date: '2026-09-01',
      website,
      content_hash: 'x',
      last_import_id: importId,
    }),
  )
  if (rows.length > 0) await db.insertInto('licenses').values(rows).execute()
}
