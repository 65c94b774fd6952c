import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newId } from '#server/kernel/ids.ts'
import { addEvent } from '#tests/support/business-events.ts'
import { addGalleryItem } from '#tests/support/galleries.ts'
import { untilWaiting } from '#tests/support/locks.ts'
import { addMedia } from '#tests/support/posts.ts'
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

it('keeps listings with conversations, events or a gallery, which a former owner may have left', async () => {
  const { db } = imports.database
  const names = ['Events', 'Gallery', 'Messages', 'Unused']
  const rows = (place: string, day: string) =>
    names.map((name, i) => `CO,7${i},${name},Stores,dispensary,,${place.replace('?', String(i))},,MED,${day}`)
  await imports.run(...rows('?7 Elm St,Denver,80202', '2023-09-01'))
  const listings = await db.selectFrom('businesses').select(['id', 'name']).where('name', 'in', names).orderBy('name').execute()
  const [events, gallery, messages] = listings.map(({ id }) => id) as [string, string, string]
  const person_id = newId()
  await db.insertInto('users').values({ id: person_id, email: 'b@example.com', birthday: '1990-01-01' }).execute()
  await addEvent(db, events)
  await addGalleryItem(db, gallery, (await addMedia(db, person_id)).id)
  await db.insertInto('conversations').values({ id: newId(), person_id, business_id: messages, created_at: new Date() }).execute()
  expect((await imports.run(...rows(',,', '2024-01-01'))).listings.removed).toBe(1)
  const left = await db.selectFrom('businesses').select('name').where('name', 'in', names).orderBy('name').execute()
  expect(left.map(({ name }) => name)).toEqual(['Events', 'Gallery', 'Messages'])
})
