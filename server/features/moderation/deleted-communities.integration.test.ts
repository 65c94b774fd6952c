import type { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { LoggedDecision, OwnDecision } from '#contracts/moderation.endpoints.ts'
import type { CaseDecision, ModerationAppeal, ModerationDecision, OwnReport } from '#contracts/moderation.ts'
import { up as restoreCommunities } from '#server/db/migrations/20261130T0810-keep-communities-of-actions.ts'
import { up as keepCases } from '#server/db/migrations/20261130T0811-keep-cases-of-deleted-communities.ts'
import { addCommunity } from '#tests/support/communities.ts'
import { decisionWith, moderationCalls } from '#tests/support/moderation.ts'
import { addPost } from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let api: ReturnType<typeof moderationCalls>
let moderator: TestPerson
let other: TestPerson

beforeAll(async () => {
  test = await startTestApp()
  api = moderationCalls(test)
  moderator = await api.moderator()
  other = await api.moderator()
})
afterAll(() => test?.close())

const nothing = { mutedUntil: null, suspendedUntil: null, isBanned: false }
const standing = async (as: TestPerson) => (await test.request('GET', '/api/standing', as)).json()
const ownDecisions = async (as: TestPerson) => (await test.request('GET', '/api/standing/actions', as)).json() as OwnDecision[]

async function newCommunity() {
  const [owner, member, reporter] = [await test.signUp(), await test.signUp(), await test.signUp()]
  const community = await addCommunity(test.db, { owner: owner.user.id, members: [member.user.id, reporter.user.id] })
  await test.db.updateTable('communities').set({ post_count: 1 }).where('id', '=', community.id).execute()
  const post = await addPost(test.db, { author_id: member.user.id, community_id: community.id, post_type: 'discussion' })
  await api.report(reporter, 'post', post)
  const remove = async () => {
    const answer = await test.request('DELETE', `/api/communities/${community.id}`, owner, { name: community.name })
    expect(answer.statusCode, answer.body).toBe(204)
  }
  return { community, owner, member, reporter, caseId: await api.caseOf('post', post), remove }
}

/** A person about whom a community's owner made a decision before deleting the community. */
async function sanctionedThere(...actions: CaseDecision['actions']): Promise<{ member: TestPerson; decision: ModerationDecision }> {
  const { owner, member, caseId, remove } = await newCommunity()
  const [decision] = await api.decided(owner, caseId, decisionWith(...actions))
  await remove()
  return { member, decision: decision as ModerationDecision }
}

it('doesn’t extend a deleted community’s mutes and bans to the whole site', async () => {
  for (const action of [{ action: 'mute', days: 300 }, { action: 'ban' }] as const) {
    const { member } = await sanctionedThere(action)
    const [warning] = await api.decided(
      moderator,
      await api.reported('person', member.user.id),
      decisionWith({ action: 'suspend', days: 1 }),
    )
    expect(await standing(member)).toEqual({ ...nothing, suspendedUntil: expect.any(String) })
    expect((await api.undo(other, warning?.id as string)).statusCode).toBe(200)
    expect(await standing(member)).toEqual(nothing)
  }
})

it('undoes a deleted community’s decision without changing the account', async () => {
  for (const action of [{ action: 'mute', days: 3 }, { action: 'ban' }] as const) {
    const { member, decision } = await sanctionedThere(action)
    expect((await api.undo(member, decision.id)).statusCode).toBe(404)
    const appealId = (await api.appeal(member, decision.id)).json().id as string
    const answer = await api.decideAppeal(moderator, appealId, 'overturned')
    expect((answer.json() as ModerationAppeal).decision.community).toEqual({
      id: expect.any(String),
      slug: null,
      name: 'a deleted community',
    })
    expect(await standing(member)).toEqual(nothing)
    expect((await ownDecisions(member))[0]).toMatchObject({ undoneAt: expect.any(String) })
  }
})

it('states that a deleted community decided, not the site', async () => {
  const { member, decision } = await sanctionedThere({ action: 'ban' })
  const [own] = await ownDecisions(member)
  expect(own).toMatchObject({ id: decision.id, community: { slug: null, name: 'a deleted community' }, stands: false, mayAppeal: true })
  await test.runJobs()
  const [notice] = (await test.request('GET', '/api/notifications', member)).json()
  expect(notice.title).toBe('You’ve been banned from a deleted community')
  const [logged] = (await test.request('GET', '/api/moderation-log', null)).json() as LoggedDecision[]
  expect(logged).toMatchObject({ action: 'ban', community: null, isForSite: false })
})

it('restores the community of decisions that lost it, and the accounts they restricted', async () => {
  const { member, decision } = await sanctionedThere({ action: 'ban' })
  const [mute] = await api.decided(moderator, await api.reported('person', member.user.id), decisionWith({ action: 'mute', days: 1 }))
  const muted = await standing(member)
  const { community_id: communityId } = await test.db
    .selectFrom('moderation_actions')
    .select('community_id')
    .where('id', '=', decision.id)
    .executeTakeFirstOrThrow()
  // As an earlier release left it.
  await test.db.updateTable('moderation_actions').set({ community_id: null }).where('id', '=', decision.id).execute()
  await test.db.updateTable('users').set({ banned_at: test.clock.now() }).where('id', '=', member.user.id).execute()
  await restoreCommunities(test.db as unknown as Kysely<unknown>)
  const rows = await test.db.selectFrom('moderation_actions').select(['id', 'community_id']).where('user_id', '=', member.user.id).execute()
  expect(rows).toEqual(
    expect.arrayContaining([
      { id: decision.id, community_id: communityId },
      { id: mute?.id, community_id: null },
    ]),
  )
  expect(await standing(member)).toEqual(muted)
})

const outcomes = async (as: TestPerson) =>
  ((await test.request('GET', '/api/reports', as)).json() as OwnReport[]).map(({ subject, outcome }) => [subject, outcome])

it('leaves open cases of a deleted community to the site’s moderators', async () => {
  const { community, owner, member, reporter, caseId, remove } = await newCommunity()
  await api.report(reporter, 'community', community.id)
  const about = await api.caseOf('community', community.id)
  await remove()
  const queue = await api.cases(moderator)
  expect(queue.find(({ id }) => id === caseId)).toMatchObject({ isThere: false, community: null, person: { id: member.user.id } })
  expect(await outcomes(reporter)).toEqual([
    ['community', 'waiting'],
    ['post', 'waiting'],
  ])
  expect((await api.case(owner, caseId)).id).toBeUndefined()
  await api.decided(moderator, caseId, { actions: [{ action: 'dismiss' }] })
  await api.decided(moderator, about, decisionWith({ action: 'suspend', days: 3 }))
  expect(await standing(owner)).toMatchObject({ suspendedUntil: expect.any(String) })
  expect(await outcomes(reporter)).toEqual([
    ['community', 'action_taken'],
    ['post', 'no_action'],
  ])
})

it('keeps the outcome of reports that a deleted community decided', async () => {
  const { owner, reporter, caseId, remove } = await newCommunity()
  await api.decided(owner, caseId, decisionWith({ action: 'remove' }))
  await remove()
  expect(await outcomes(reporter)).toEqual([['post', 'action_taken']])
})

it('closes reports whose case was deleted', async () => {
  const { reporter, caseId } = await newCommunity()
  // As an earlier release did when it deleted a community.
  await test.db.deleteFrom('moderation_cases').where('id', '=', caseId).execute()
  expect(await outcomes(reporter)).toEqual([['post', 'waiting']])
  await keepCases(test.db as unknown as Kysely<unknown>)
  expect(await outcomes(reporter)).toEqual([['post', 'no_action']])
})
