import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findAuditBreak, recordAudit } from '#server/features/audit/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import { newId } from '#server/kernel/ids.ts'
import { addHunt } from '#tests/support/hunts.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { proveHunt } from './proofs.ts'

let test: TestApp

beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test?.close())

it('proves a hunt even if other audit entries are added all the time', async () => {
  const owner = await test.signUp()
  const { id } = await addHunt(test.db, owner.user.id, { hunt_name: 'Busy' })
  const lookups = new WeakSet<object>()
  // Adds an entry after each lookup of an earlier proof.
  const busy: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      if (node.kind === 'SelectQueryNode' && JSON.stringify(node.from).includes('hunt_proofs')) lookups.add(queryId)
      return node
    },
    async transformResult({ queryId, result }) {
      if (!lookups.has(queryId)) return result
      const entry = { at: test.clock.now(), actorId: null, action: 'test.added', subjectType: 'test', subjectId: newId() } as const
      await test.db.transaction().execute((tx) => recordAudit(tx, entry))
      return result
    },
  }
  const proof = await proveHunt({ db: test.db.withPlugin(busy), clock: test.clock }, { id: owner.user.id } as Actor, id)
  expect((await test.request('GET', `/api/pheno-hunts/${id}/proofs`, owner)).json()).toEqual([proof])
  expect(await findAuditBreak(test.db)).toBeNull()
})
