import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addCommunity } from '#tests/support/communities.ts'
import { decisionWith, moderationCalls } from '#tests/support/moderation.ts'
import { addPost } from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { moderatedCommunity } from './community.moderated.ts'

let t: TestApp
let api: ReturnType<typeof moderationCalls>
let owner: TestPerson
let moderator: TestPerson
let other: TestPerson

beforeAll(async () => {
  t = await startTestApp()
  api = moderationCalls(t)
  owner = await t.signUp()
  moderator = await api.moderator()
  other = await api.moderator()
})
afterAll(() => t?.close())

type Deletable = { id: string; name: string }

/** Deletes a community as its owner, but its row can't be erased yet. */
async function close({ id, name }: Deletable): Promise<void> {
  await sql
    .raw(`create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
      create trigger refuse before delete on communities for each row execute function refuse()`)
    .execute(t.db)
  const answer = await t.request('DELETE', `/api/communities/${id}`, owner, { name })
  expect(answer.statusCode, answer.body).toBe(204)
  await sql`drop function refuse cascade`.execute(t.db)
}
const stateOf = async ({ id }: Deletable) =>
  (await t.db.selectFrom('communities').select('moderation').where('id', '=', id).executeTakeFirst())?.moderation

it('doesn’t let moderators reopen a community that its owner deleted', async () => {
  const reported = await addCommunity(t.db, { owner: owner.user.id })
  const caseId = await api.reported('community', reported.id)
  await close(reported)
  expect((await api.cases(moderator)).find(({ id }) => id === caseId)).toMatchObject({ isThere: false, title: null, path: null })
  expect((await api.case(moderator, caseId)).mayDo).not.toContain('approve')
  expect((await api.decide(moderator, caseId, { actions: [{ action: 'approve' }] })).statusCode).toBe(409)

  const removed = await addCommunity(t.db, { owner: owner.user.id })
  const [removal] = await api.decided(moderator, await api.reported('community', removed.id), decisionWith({ action: 'remove' }))
  await close(removed)
  expect((await api.undo(other, removal?.id as string)).statusCode).toBe(200)
  // The moderator decided while the owner deleted it.
  await t.db.transaction().execute((tx) => moderatedCommunity.set(tx, t.ctx, reported.id, null))
  expect([await stateOf(reported), await stateOf(removed)]).toEqual(['removed', 'removed'])
})

it('erases a deleted community later if its job was lost, and no other', async () => {
  const add = () => addCommunity(t.db, { owner: owner.user.id })
  const [lost, recent, removed] = [await add(), await add(), await add()]
  await api.decided(moderator, await api.reported('community', removed.id), decisionWith({ action: 'remove' }))
  await close(lost)
  t.clock.advance({ days: 2 })
  await close(recent)
  await t.ctx.jobs.forget([lost.id, recent.id])
  await t.ctx.jobs.enqueue('communities.erase-closed', {})
  await t.runJobs()
  expect([await stateOf(lost), await stateOf(recent), await stateOf(removed)]).toEqual([undefined, 'removed', 'removed'])
})

it('leaves open cases to the site’s moderators as soon as the community is deleted', async () => {
  const author = await t.signUp()
  const community = await addCommunity(t.db, { owner: owner.user.id, members: [author.user.id] })
  const post = await addPost(t.db, { author_id: author.user.id, community_id: community.id, post_type: 'discussion' })
  await t.db.updateTable('communities').set({ post_count: 1 }).where('id', '=', community.id).execute()
  const caseId = await api.reported('post', post)
  const isInQueue = async () => (await api.cases(moderator)).some(({ id }) => id === caseId)
  expect(await isInQueue()).toBe(false)
  await close(community)
  expect([await stateOf(community), await isInQueue()]).toEqual(['removed', true])
  await api.decided(moderator, caseId, { actions: [{ action: 'dismiss' }] })
})
