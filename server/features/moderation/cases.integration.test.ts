import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { nextPage } from '#contracts/addresses.ts'
import type { LoggedDecision } from '#contracts/moderation.endpoints.ts'
import type { ModerationCase, ModerationLoad, OwnReport } from '#contracts/moderation.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { addCommunity } from '#tests/support/communities.ts'
import { findWrongCounters } from '#tests/support/counters.ts'
import { mailsTo } from '#tests/support/mailbox.ts'
import { addPostMedia, recordMediaUses } from '#tests/support/media-uses.ts'
import { messagesOf } from '#tests/support/messages.ts'
import { decisionWith, moderationCalls } from '#tests/support/moderation.ts'
import { addMedia } from '#tests/support/posts.ts'
import { addComment, addPost } from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { holdForReview } from './index.ts'

let test: TestApp
let api: ReturnType<typeof moderationCalls>
let moderator: TestPerson
let owner: TestPerson
let keeper: TestPerson
let writer: TestPerson
let open: { id: string; slug: string; name: string }
let secret: { id: string; slug: string; name: string }
let elsewhere: { id: string; slug: string; name: string }

beforeAll(async () => {
  test = await startTestApp()
  api = moderationCalls(test)
  moderator = await api.moderator()
  owner = await test.signUp()
  keeper = await test.signUp()
  writer = await test.signUp()
  const people = { owner: owner.user.id, moderators: [keeper.user.id], members: [writer.user.id] }
  open = await addCommunity(test.db, people)
  secret = await addCommunity(test.db, people, { visibility: 'private' })
  elsewhere = await addCommunity(test.db, { owner: (await test.signUp()).user.id })
})
afterAll(async () => {
  expect(test && (await findWrongCounters(test.db))).toEqual([])
  await test?.close()
})
beforeEach(async () => {
  await test.db
    .updateTable('moderation_cases')
    .set({ status: 'decided', decided_at: test.clock.now() })
    .where('status', '=', 'open')
    .execute()
})

const personPost = async (as: TestPerson = writer) => {
  await test.db
    .updateTable('users')
    .set((eb) => ({ posts_count: eb('posts_count', '+', 1) }))
    .where('id', '=', as.user.id)
    .execute()
  return addPost(test.db, { author_id: as.user.id })
}
const communityPost = async (communityId: string, as: TestPerson = writer) => {
  await test.db
    .updateTable('communities')
    .set((eb) => ({ post_count: eb('post_count', '+', 1) }))
    .where('id', '=', communityId)
    .execute()
  return addPost(test.db, { author_id: as.user.id, community_id: communityId, post_type: 'discussion' })
}
const inside = async (communityId: string): Promise<TestPerson> => {
  const person = await test.signUp()
  await test.request('POST', `/api/communities/${communityId}/join`, person)
  const joined = { community_id: communityId, user_id: person.user.id }
  const added = await test.db
    .insertInto('community_members')
    .values(joined)
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .execute()
  if (added.length > 0)
    await test.db
      .updateTable('communities')
      .set((eb) => ({ member_count: eb('member_count', '+', 1) }))
      .where('id', '=', communityId)
      .execute()
  return person
}
const reportedIn = async (communityId: string, postId: string, reason = 'spam') => {
  await api.report(await inside(communityId), 'post', postId, reason)
  return api.caseOf('post', postId)
}
const hours = (count: number) => count * 3_600_000

it('groups the reports of a subject in one case under the most serious reason', async () => {
  const post = await personPost()
  const [one, two, three] = [await test.signUp(), await test.signUp(), await test.signUp()]
  await api.report(one, 'post', post, 'spam', 'First words')
  await api.report(two, 'post', post, 'harassment')
  await api.report(one, 'post', post, 'other', 'Said again')
  await api.report(three, 'post', post, 'false_information')
  const [found, ...rest] = await api.cases(moderator)
  expect(rest).toEqual([])
  expect(found).toMatchObject({
    subject: 'post',
    subjectId: post,
    reason: 'harassment',
    reportsCount: 3,
    source: 'report',
    isForSite: true,
    state: null,
  })
  const detail = await api.case(moderator, found?.id as string)
  expect(detail.reports.map((each) => [each.reporter?.id, each.reason, each.details])).toEqual([
    [three.user.id, 'false_information', ''],
    [two.user.id, 'harassment', ''],
    [one.user.id, 'other', 'Said again'],
  ])
  expect(detail.history).toMatchObject({ trust: expect.any(String), accountStatus: { isBanned: false }, decisions: [] })
  const parallel = await personPost()
  const crowd = await Promise.all(Array.from({ length: 8 }, () => test.signUp()))
  await Promise.all(crowd.map((each) => api.report(each, 'post', parallel)))
  expect(await api.case(moderator, await api.caseOf('post', parallel))).toMatchObject({ reportsCount: 8 })
  // The new case is still open, so it doesn't count as history.
  expect((await api.case(moderator, found?.id as string)).history?.casesCount).toBe(0)
})

it('shows the reporter only that action was taken, and the author nothing about the reporter', async () => {
  const [acted, dismissed, waiting] = [await personPost(), await personPost(), await personPost()]
  const reporter = await test.signUp()
  for (const post of [acted, dismissed, waiting]) await api.report(reporter, 'post', post, 'spam', 'Their words')
  await api.decided(moderator, await api.caseOf('post', acted), decisionWith({ action: 'warn' }))
  await api.decided(moderator, await api.caseOf('post', dismissed), { actions: [{ action: 'dismiss' }] })
  const answer = await test.request('GET', '/api/reports', reporter)
  expect((answer.json() as OwnReport[]).map((each) => each.outcome)).toEqual(['waiting', 'no_action', 'action_taken'])
  for (const secretOf of [writer.user.id, moderator.user.id, 'This is advertising.', 'warn']) expect(answer.body).not.toContain(secretOf)
  expect((await test.request('GET', '/api/reports', moderator)).json()).toEqual([])
  expect((await test.request('GET', '/api/standing/actions', writer)).body).not.toMatch(new RegExp(`${reporter.user.id}|Their words`))
})

it('sets the deadline 48 hours after the first report of an intimate image and never moves it', async () => {
  const [late, due] = [await personPost(), await personPost()]
  await api.report(await test.signUp(), 'post', late)
  const start = test.clock.now().getTime()
  await api.report(await test.signUp(), 'post', due, 'intimate_image')
  test.clock.advance({ hours: 20 })
  await api.report(await test.signUp(), 'post', due, 'intimate_image')
  await api.report(await test.signUp(), 'post', due, 'spam')
  const [first, second] = await api.cases(moderator)
  expect(first).toMatchObject({
    subjectId: due,
    isOverdue: false,
    reason: 'intimate_image',
  })
  const startedLate = Date.parse(first?.dueAt as string) - start - hours(48)
  expect(startedLate).toBeGreaterThanOrEqual(0)
  expect(startedLate).toBeLessThan(5000)
  expect(second).toMatchObject({ subjectId: late, dueAt: null })

  const mails = async () => (await mailsTo(test, moderator.email)).filter((mail) => mail.subject.includes('are waiting for your decision'))
  const remind = async () => {
    await test.ctx.jobs.enqueue('moderation.remind', {})
    return (await mails()).length
  }
  await test.db.updateTable('users').set({ email_verified: true }).where('id', '=', moderator.user.id).execute()
  const before = (await mails()).length
  expect(await remind()).toBe(before)
  test.clock.advance({ hours: 17 })
  expect(await remind()).toBe(before + 1)
  expect(await remind()).toBe(before + 1)
  expect((await mails())[0]?.text).toContain('One case must be decided within 12 hours.')
  test.clock.advance({ hours: 12 })
  expect(await remind()).toBe(before + 2)
  expect(await remind()).toBe(before + 2)
  expect((await api.cases(moderator))[0]).toMatchObject({ subjectId: due, isOverdue: true })
  expect((await test.request('GET', '/api/moderation/load', moderator)).json()).toMatchObject({ open: 2, overdue: 1 })
})

it('shows community moderators their cases without the reporters’ names, except cases for the site', async () => {
  const posts = { spam: await communityPost(open.id), sale: await communityPost(open.id), own: await communityPost(open.id, keeper) }
  const spam = await reportedIn(open.id, posts.spam)
  const sale = await reportedIn(open.id, posts.sale, 'illegal_sale')
  const own = await reportedIn(open.id, posts.own)
  const queue = async (as: TestPerson, scope: string) => test.request('GET', `/api/moderation/cases?scope=${scope}`, as)
  for (const each of [owner, keeper]) {
    expect(((await queue(each, open.id)).json() as ModerationCase[]).map(({ id }) => id)).toEqual([spam])
    expect((await queue(each, elsewhere.id)).statusCode).toBe(404)
    expect((await queue(each, 'site')).statusCode).toBe(403)
    expect((await test.request('GET', `/api/moderation/cases/${sale}`, each)).statusCode).toBe(404)
    expect((await test.request('GET', `/api/moderation/cases/${own}`, each)).statusCode).toBe(404)
    expect((await api.decide(each, sale, decisionWith({ action: 'remove' }))).statusCode).toBe(404)
  }
  for (const each of [writer, await test.signUp()]) {
    expect((await queue(each, open.id)).statusCode).toBe(404)
    expect((await test.request('GET', `/api/moderation/cases/${spam}`, each)).statusCode).toBe(404)
    expect((await test.request('GET', `/api/moderation/load?scope=${open.id}`, each)).statusCode).toBe(404)
  }
  expect((await test.request('GET', '/api/moderation/appeals', keeper)).statusCode).toBe(403)
  const detail = await api.case(keeper, spam)
  expect(detail.reports.map(({ reporter }) => reporter)).toEqual([null])
  expect(detail).toMatchObject({ actsFor: 'community', history: { accountStatus: null }, refusal: null, community: { id: open.id } })
  expect(detail.mayDo).toEqual(['dismiss', 'hide', 'remove', 'warn', 'mute', 'ban'])
  const site = ((await queue(moderator, 'site')).json() as ModerationCase[]).map(({ id }) => id)
  expect(site.sort()).toEqual([sale, own].sort())
  test.clock.advance({ hours: 73 })
  expect(((await queue(moderator, 'site')).json() as ModerationCase[]).map(({ id }) => id)).toContain(spam)
  expect((await test.request('GET', `/api/moderation/load?scope=${open.id}`, keeper)).json()).toMatchObject({ open: 1 })
})

it('limits community moderators’ mutes and bans to the community, lets them be undone, and leaves appeals to the site’s moderators', async () => {
  const member = await inside(open.id)
  const post = await communityPost(open.id, member)
  const say = () =>
    test.request('POST', '/api/community-posts', member, { communityId: open.id, title: 'A', content: 'B', postType: 'discussion' })
  expect((await api.decide(keeper, await reportedIn(open.id, post), decisionWith({ action: 'suspend', days: 1 }))).statusCode).toBe(409)
  const [mute] = await api
    .decided(keeper, await api.caseOf('post', post), decisionWith({ action: 'hide' }, { action: 'mute', days: 3 }))
    .then((all) => all.slice(1))
  expect(mute).toMatchObject({ action: 'mute', community: { id: open.id } })
  expect((await say()).statusCode).toBe(403)
  expect((await test.request('GET', '/api/standing', member)).json()).toEqual({ mutedUntil: null, suspendedUntil: null, isBanned: false })
  const made = await api.appeal(member, mute?.id as string)
  expect((await api.decideAppeal(keeper, made.json().id, 'upheld')).statusCode).toBe(403)
  expect((await api.decideAppeal(moderator, made.json().id, 'overturned')).statusCode).toBe(200)
  expect((await say()).statusCode).toBe(201)

  const again = await communityPost(open.id, member)
  const [ban] = await api.decided(keeper, await reportedIn(open.id, again), decisionWith({ action: 'ban' }))
  expect((await say()).statusCode).toBe(403)
  expect((await test.request('POST', `/api/communities/${open.id}/join`, member)).statusCode).toBeGreaterThanOrEqual(400)
  expect((await api.undo(member, ban?.id as string)).statusCode).toBe(404)
  expect((await api.undo(owner, ban?.id as string)).statusCode).toBe(200)
  expect((await test.request('POST', `/api/communities/${open.id}/join`, member)).statusCode).toBeLessThan(300)
})

it('hides what identifies a private community and its cases from outsiders', async () => {
  const post = await communityPost(secret.id)
  const stranger = await test.signUp()
  expect((await test.request('POST', '/api/reports', stranger, { subject: 'post', subjectId: post, reason: 'spam' })).statusCode).toBe(404)
  expect(
    (await test.request('POST', '/api/reports', stranger, { subject: 'community', subjectId: secret.id, reason: 'spam' })).statusCode,
  ).toBe(404)
  const [decision] = await api.decided(keeper, await reportedIn(secret.id, post), decisionWith({ action: 'remove' }))
  const log = await test.request('GET', '/api/moderation-log', null)
  expect((log.json() as LoggedDecision[])[0]).toMatchObject({ action: 'remove', subject: 'post', outcome: 'stands', community: null })
  for (const id of [secret.id, secret.slug, secret.name, writer.user.id, keeper.user.id, post, decision?.id as string])
    expect(log.body).not.toContain(id)
})

it('publishes a paginated log of actions and outcomes with counts', async () => {
  const post = await communityPost(open.id)
  const [decision] = await api.decided(keeper, await reportedIn(open.id, post), decisionWith({ action: 'mute', days: 4 }))
  await api.undo(owner, decision?.id as string)
  const first = await test.request('GET', '/api/moderation-log?limit=1', null)
  expect(first.json()).toEqual([
    {
      at: expect.any(String),
      action: 'mute',
      subject: 'post',
      reason: 'spam',
      days: 4,
      outcome: 'undone',
      isForSite: false,
      community: { slug: open.slug, name: open.name },
    },
  ])
  const seen = [...(first.json() as LoggedDecision[])]
  for (let next = nextPage(first.headers.link as string); next !== null; ) {
    const answer = await test.request('GET', next, null)
    seen.push(...(answer.json() as LoggedDecision[]))
    next = nextPage(answer.headers.link as string | undefined)
  }
  const { count } = await test.db
    .selectFrom('moderation_actions')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('action', 'not in', ['approve', 'dismiss'])
    .executeTakeFirstOrThrow()
  expect(seen).toHaveLength(count)
  const counts = (await test.request('GET', '/api/moderation-log/counts', null)).json()
  expect(counts).toMatchObject({ days: 90, appeals: 1, overturned: 1 })
  expect(counts.actions).toContainEqual({ action: 'remove', count: 1 })
})

it('logs every view of a message and shows no message in a list', async () => {
  const calls = messagesOf(test)
  const [one, two] = [await test.signUp(), await test.signUp()]
  const conversation = await calls.between(one, two)
  const { id: messageId } = await calls.send(one, conversation, 'Canary in a message')
  expect(
    (await test.request('POST', '/api/reports', moderator, { subject: 'message', subjectId: messageId, reason: 'spam' })).statusCode,
  ).toBe(404)
  await api.report(two, 'message', messageId, 'harassment')
  const list = await test.request('GET', '/api/moderation/cases', moderator)
  expect(list.body).not.toContain('Canary')
  const id = await api.caseOf('message', messageId)
  expect((await api.case(moderator, id)).text).toBe('Canary in a message')
  await api.case(moderator, id)
  const looks = await test.db.selectFrom('audit_log').select(['action', 'actor_id']).where('subject_id', '=', messageId).execute()
  expect(looks).toEqual(Array.from({ length: 2 }, () => ({ action: 'message.looked_at', actor_id: moderator.user.id })))
  await api.decided(moderator, id, decisionWith({ action: 'remove' }))
  expect((await test.request('GET', `/api/conversations/${conversation}/messages`, two)).body).not.toContain('Canary')
  expect((await test.request('GET', '/api/moderation-log', null)).body).not.toContain('Canary')
})

const outside = { businessId: null, communityId: null }

it('holds content for review, and publishes its event only after it is approved', async () => {
  const post = await personPost()
  const id = await addComment(test.db, { post_id: post, author_id: writer.user.id, moderation: 'held' })
  const findings = [{ rule: 'link' as const, says: 'Links of new accounts' }]
  const about = { subject: 'comment' as const, subjectId: id, userId: writer.user.id, ...outside, now: test.clock.now() }
  const first = await inTransaction(test.db, (tx) => holdForReview(tx, test.ctx, { ...about, findings }))
  expect(await inTransaction(test.db, (tx) => holdForReview(tx, test.ctx, { ...about, findings: [{ rule: 'sale' }] }))).toBe(first)
  const [held] = (await test.request('GET', '/api/moderation/cases?kind=held', moderator)).json() as ModerationCase[]
  expect(held).toMatchObject({ id: first, source: 'filter', state: 'held', findings: [{ rule: 'sale', says: null }], reportsCount: 0 })
  expect((await test.request('GET', '/api/moderation/cases?kind=reports', moderator)).json()).toEqual([])
  expect((await api.decide(moderator, first, { actions: [{ action: 'dismiss' }] })).statusCode).toBe(409)
  expect((await api.decide(moderator, first, decisionWith({ action: 'warn' }))).statusCode).toBe(409)

  const published: unknown[] = []
  const publish = test.ctx.events.publish
  test.ctx.events.publish = async (tx, name, data) => {
    published.push(name)
    return publish(tx, name, data)
  }
  const [decision] = await api.decided(moderator, first, { actions: [{ action: 'approve' }] })
  test.ctx.events.publish = publish
  expect(published).toEqual(['comment.written', 'moderation.acted'])
  expect((await test.request('GET', '/api/standing/actions?limit=1', writer)).json()).toMatchObject([
    { action: 'approve', mayAppeal: false, explanation: '' },
  ])
  expect(await findWrongCounters(test.db)).toEqual([])
  await api.undo(moderator, decision?.id as string)
  expect((await api.cases(moderator)).map((each) => [each.id, each.state])).toEqual([[first, 'held']])
})

it('assigns and reassigns cases, and shows the queue’s size', async () => {
  const id = await api.reported('post', await personPost())
  const other = await api.moderator()
  const assign = (as: TestPerson, isMine: boolean) => test.request('POST', `/api/moderation/cases/${id}/assign`, as, { isMine })
  expect((await assign(writer, true)).statusCode).toBe(404)
  expect((await assign(moderator, true)).json()).toMatchObject({ isMine: true, assignedTo: { id: moderator.user.id } })
  expect((await assign(other, false)).json()).toMatchObject({ isMine: false, assignedTo: { id: moderator.user.id } })
  expect((await assign(other, true)).json()).toMatchObject({ isMine: true })
  expect((await test.request('GET', '/api/moderation/cases?mine=true', moderator)).json()).toEqual([])
  expect((await test.request('GET', '/api/moderation/cases?mine=true', other)).json()).toHaveLength(1)
  const load = (await test.request('GET', '/api/moderation/load', moderator)).json() as ModerationLoad
  expect(load).toMatchObject({ open: 1, held: 0, overdue: 0, oldestAt: expect.any(String), medianHours: expect.any(Number) })
  expect(load.moderators).toContainEqual(expect.objectContaining({ id: other.user.id, assigned: 1 }))
  expect((await test.request('GET', '/api/moderation/load', writer)).statusCode).toBe(403)
})

it('does not publish the scheduled posts of a muted person', async () => {
  const person = await test.signUp()
  const draft = (await test.request('POST', '/api/drafts', person, { title: 'Later', content: 'Words', businessId: null })).json()
  const publishAt = new Date(test.clock.now().getTime() + hours(2)).toISOString()
  expect((await test.request('PUT', `/api/drafts/${draft.id}/schedule`, person, { publishAt })).statusCode).toBe(200)
  await api.decided(moderator, await api.reported('person', person.user.id), decisionWith({ action: 'mute', days: 1 }))
  expect((await test.request('POST', `/api/drafts/${draft.id}/publish`, person)).json().code).toBe('muted')
  test.clock.advance({ hours: 3 })
  await test.ctx.jobs.enqueue('drafts.publish-due', {})
  await test.runJobs()
  expect(await test.db.selectFrom('posts').select('id').where('id', '=', draft.id).execute()).toEqual([])
})

it('paginates the queue without repeats, due cases first and then the oldest', async () => {
  const posts: string[] = []
  for (let i = 0; i < 7; i++) {
    const post = await personPost()
    posts.push(post)
    await api.report(await test.signUp(), 'post', post, i % 3 === 2 ? 'intimate_image' : 'spam')
    test.clock.advance({ minutes: 1 })
  }
  const seen: string[] = []
  let url: string | null = '/api/moderation/cases?limit=2'
  while (url !== null) {
    const answer = await test.request('GET', url, moderator)
    seen.push(...(answer.json() as ModerationCase[]).map((each) => each.subjectId))
    url = nextPage(answer.headers.link as string | undefined)
  }
  expect(seen).toEqual([2, 5, 0, 1, 3, 4, 6].map((i) => posts[i]))
  expect((await test.request('GET', '/api/moderation/cases?cursor=bm9wZQ', moderator)).statusCode).toBe(400)
})

it('shows a case’s pictures to people who may decide it, and removed ones to no one else', async () => {
  const post = await personPost()
  const { id: mediaId } = await addMedia(test.db, writer.user.id)
  await addPostMedia(test.db, post, [mediaId])
  const id = await api.reported('post', post)
  expect((await api.case(moderator, id)).media.map((each) => each.id)).toEqual([mediaId])
  await api.decided(moderator, id, decisionWith({ action: 'remove' }))
  await test.ctx.storage.put(`media/${mediaId}/small.webp`, Buffer.from('a picture'), 'image/webp')
  const status = async (as: TestPerson | null) => (await test.request('GET', `/media/${mediaId}/small.webp`, as)).statusCode
  expect(await status(moderator)).toBe(200)
  for (const each of [owner, keeper, null]) expect(await status(each)).toBe(404)
  const inside = await communityPost(open.id)
  await test.db.deleteFrom('post_media').where('media_id', '=', mediaId).execute()
  await recordMediaUses(test.db, 'post', post)
  await addPostMedia(test.db, inside, [mediaId])
  const caseId = await reportedIn(open.id, inside)
  await api.decided(keeper, caseId, decisionWith({ action: 'remove' }))
  expect([await status(keeper), await status(owner), await status(null), await status(await test.signUp())]).toEqual([200, 200, 404, 404])
})
