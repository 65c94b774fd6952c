import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Actor } from '#server/kernel/actor.ts'
import { untilWaiting } from '#tests/support/locks.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { beginUpload } from './receive-upload.ts'

let test: TestApp

beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test?.close())

it('begins two uploads by one person at the same time without a deadlock', async () => {
  const { db, clock } = test
  const owner = await test.signUp()
  const announced = { contentType: 'image/jpeg', byteSize: 1000, alt: '' }
  // Uses separate transactions, because a call would retry after a deadlock.
  const begin = (key: string) =>
    db.transaction().execute((tx) => beginUpload({ db: tx, clock }, { id: owner.user.id } as Actor, announced, { key, fingerprint: key }))
  const begun = await db.transaction().execute(async (tx) => {
    // Both insert their keys, and then wait for this row until this transaction commits.
    await tx.selectFrom('users').select('id').where('id', '=', owner.user.id).forShare().execute()
    const both = Promise.allSettled([begin('one'), begin('other')])
    await untilWaiting(db, { count: 2, statement: '"users"' })
    return { both }
  })
  expect((await begun.both).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
})
