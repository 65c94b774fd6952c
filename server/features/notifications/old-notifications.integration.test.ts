import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { newId } from '#server/kernel/ids.ts'
import { untilWaiting } from '#tests/support/locks.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { purge } from './notifications.jobs.ts'

let test: TestApp
let person: TestPerson

beforeAll(async () => {
  test = await startTestApp()
  person = await test.signUp()
})
afterAll(() => test?.close())
beforeEach(() => test.db.deleteFrom('notifications').execute())

const row = (days: number, is_read: boolean) => ({
  ...{ id: newId(), user_id: person.user.id, type: 'follow' as const, group_key: newId(), is_read },
  created_at: new Date(test.clock.now().getTime() - days * 86_400_000),
})
const add = (rows: ReturnType<typeof row>[]) => test.db.insertInto('notifications').values(rows).execute()
const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id).sort()
const left = async () => idsOf(await test.db.selectFrom('notifications').select('id').execute())

it('deletes notifications after half a year if they were read, and otherwise after a year', async () => {
  const kept = [row(0, true), row(179, true), row(181, false), row(364, false)]
  await add([...kept, row(181, true), row(366, false)])
  await test.ctx.jobs.enqueue('notifications.purge', {})
  await test.runJobs()
  expect(await left()).toEqual(idsOf(kept))
})

it('deletes them in batches that survive a failure', async () => {
  const kept = [row(364, false), row(100, true)]
  const old = [373, 372, 371, 370, 369, 368, 367].map((days) => row(days, false))
  await add([...kept, ...old])
  await sql
    .raw(`create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
      create trigger refuse before delete on notifications for each row when (old.id = '${old[4]?.id}') execute function refuse()`)
    .execute(test.db)
  await expect(purge(test.db, test.clock.now(), 2)).rejects.toThrow('refused')
  expect(await left()).toEqual(idsOf([...kept, ...old.slice(4)]))
  await sql`drop function refuse cascade`.execute(test.db)
  await purge(test.db, test.clock.now(), 2)
  expect(await left()).toEqual(idsOf(kept))
})

it('keeps an old notification that gets news at the same moment', async () => {
  const renewed = row(366, false)
  await add([renewed, row(367, false)])
  const { purged } = await test.db.transaction().execute(async (tx) => {
    await tx.updateTable('notifications').set({ created_at: test.clock.now() }).where('id', '=', renewed.id).execute()
    const started = purge(test.db, test.clock.now())
    await untilWaiting(test.db, { statement: 'delete from notifications' })
    return { purged: started }
  })
  await purged
  expect(await left()).toEqual([renewed.id])
})
