import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newId } from '#server/kernel/ids.ts'
import { untilWaiting } from '#tests/support/locks.ts'
import { startRegisterImports } from '#tests/support/register-import.ts'

let imports: Awaited<ReturnType<typeof startRegisterImports>>

beforeAll(async () => {
  imports = await startRegisterImports()
})
afterAll(() => imports?.close())

it('keeps a listing that someone follows just as an import is about to remove it', async () => {
  const { db } = imports.database
  await imports.run('CO,402R-1,Green Door,Stores,dispensary,,1 Main St,Denver,80202,,MED,2023-09-01')
  const { id } = await db.selectFrom('businesses').select('id').executeTakeFirstOrThrow()
  const user_id = newId()
  await db.insertInto('users').values({ id: user_id, email: 'a@example.com', birthday: '1990-01-01' }).execute()
  const calls = await db.transaction().execute(async (tx) => {
    // Takes the lock that following takes, and starts the import before the follow is written.
    await sql`select from businesses where id = ${id} for key share`.execute(tx)
    const importing = imports.run('CO,402R-1,Green Door,Stores,dispensary,,,,,,MED,2024-01-01')
    await untilWaiting(db)
    await tx.insertInto('business_follows').values({ user_id, business_id: id }).execute()
    return { importing }
  })
  expect((await calls.importing).listings.removed).toBe(0)
  expect(await db.selectFrom('businesses').select(['id', 'register_place']).execute()).toEqual([{ id, register_place: null }])
})
