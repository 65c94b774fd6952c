import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { reportReasons } from '#contracts/moderation.rules.ts'
import type { OwnReport } from '#contracts/moderation.ts'
import { eraseSteps } from '#server/app/registries.ts'
import { newId } from '#server/kernel/ids.ts'
import { type EraseStep, eraseAll } from '#server/kernel/own-data.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { moderationCalls } from '#tests/support/moderation.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let owner: TestPerson
let writer: TestPerson
let reporter: TestPerson
let shop: string
let ids: Record<'post' | 'comment' | 'review' | 'person' | 'business', string>
let exclusive: string
let underExclusive: string
let own: string

beforeAll(async () => {
  test = await startTestApp()
  owner = await test.signUp()
  writer = await test.signUp()
  shop = (await addBusiness(test.db)).id
  await test.db.insertInto('business_members').values({ business_id: shop, user_id: owner.user.id, role: 'owner' }).execute()
  const post = await addPost(writer, null)
  exclusive = await addPost(owner, shop, true)
  own = await addPost(owner, shop)
  underExclusive = await addComment(exclusive, writer)
  const review = newId()
  await test.db.insertInto('reviews').values({ id: review, business_id: shop, user_id: writer.user.id, rating: 1 }).execute()
  ids = { post, comment: await addComment(own, writer), review, person: writer.user.id, business: shop }
})
afterAll(() => test?.close())
beforeEach(async () => {
  reporter = await test.signUp()
})

async function addPost(author: TestPerson, businessId: string | null, isExclusive = false): Promise<string> {
  const id = newId()
  await test.db
    .insertInto('posts')
    .values({ id, author_id: author.user.id, business_id: businessId, title: 'A title', content: 'Words', is_exclusive: isExclusive })
    .execute()
  return id
}

async function addComment(postId: string, author: TestPerson): Promise<string> {
  const id = newId()
  await test.db.insertInto('comments').values({ id, post_id: postId, author_id: author.user.id, content: 'Said' }).execute()
  return id
}

const report = async (as: TestPerson | null, subject: string, subjectId: string, details: object = {}) =>
  (await test.request('POST', '/api/reports', as, { subject, subjectId, reason: 'spam', ...details })).statusCode
const stored = (of: TestPerson) =>
  test.db.selectFrom('reports').select(['subject', 'subject_id', 'reason', 'details']).where('reporter_id', '=', of.user.id).execute()
const block = (as: TestPerson, whom: TestPerson) => test.request('PUT', `/api/people/${whom.user.id}/block`, as)

it('accepts reports of visible posts, comments, reviews, people and businesses, and every reason', async () => {
  for (const [subject, id] of Object.entries(ids)) expect(await report(reporter, subject, id), subject).toBe(204)
  expect((await stored(reporter)).map((row) => row.subject).sort()).toEqual(Object.keys(ids).sort())
  for (const reason of reportReasons) expect(await report(reporter, 'post', ids.post, { reason })).toBe(204)
  // The title of a locked post is visible.
  expect(await report(reporter, 'post', exclusive)).toBe(204)
})

it('keeps one report per person and subject, replacing it until resolved', async () => {
  await report(reporter, 'review', ids.review, { details: 'First' })
  await report(reporter, 'review', ids.review, { reason: 'harassment', details: 'Second' })
  const second = { subject: 'review', subject_id: ids.review, reason: 'harassment', details: 'Second' }
  expect(await stored(reporter)).toEqual([second])
  await test.db.updateTable('reports').set({ resolved_at: test.clock.now() }).where('reporter_id', '=', reporter.user.id).execute()
  expect(await report(reporter, 'review', ids.review, { details: 'Third' })).toBe(409)
  expect(await stored(reporter)).toEqual([second])
  const answers = await Promise.all(Array.from({ length: 20 }, () => report(reporter, 'post', ids.post)))
  expect(new Set(answers)).toEqual(new Set([204]))
  expect(await stored(reporter)).toHaveLength(2)
})

it('opens a new case if the same subject is reported again a week after the decision, or at once for grave reasons and edited content', async () => {
  const api = moderationCalls(test)
  const moderator = await api.moderator()
  const dismissed = async (subject: 'person' | 'review', reason: string) => {
    await api.report(reporter, subject, ids[subject], reason)
    await api.decided(moderator, await api.caseOf(subject, ids[subject]), { actions: [{ action: 'dismiss' }] })
  }
  const latest = async (subject: 'person' | 'review') => api.case(moderator, await api.caseOf(subject, ids[subject]))
  const own = async () => (await test.request('GET', '/api/reports', reporter)).json() as OwnReport[]
  await test.db.updateTable('reports').set({ case_id: null }).execute()
  await test.db.deleteFrom('moderation_cases').execute()

  await dismissed('person', 'harassment')
  const soon = await test.request('POST', '/api/reports', reporter, { subject: 'person', subjectId: ids.person, reason: 'harassment' })
  expect(soon.json()).toMatchObject({ code: 'conflict', message: expect.stringContaining('or now if it’s about minors') })
  expect(await own()).toMatchObject([{ outcome: 'no_action' }])
  test.clock.advance({ days: 8 })
  await dismissed('person', 'harassment')
  expect(await latest('person')).toMatchObject({ status: 'decided', reportsCount: 1 })
  const again = { reason: 'intimate_image', details: 'It goes on' }
  expect(await report(reporter, 'person', ids.person, again)).toBe(204)
  const reports = [{ ...again, reporter: { id: reporter.user.id } }]
  expect(await latest('person')).toMatchObject({ status: 'open', reportsCount: 1, dueAt: expect.any(String), reports })
  const [first, second, third] = await own()
  expect([first, second, third].map((each) => each?.reason)).toEqual(['intimate_image', 'harassment', 'harassment'])
  expect([first, second, third].map((each) => each?.outcome)).toEqual(['waiting', 'no_action', 'no_action'])

  await dismissed('review', 'spam')
  expect(await report(reporter, 'review', ids.review, { reason: 'harassment' })).toBe(409)
  test.clock.advance({ minutes: 1 })
  await test.db.updateTable('reviews').set({ edited_at: test.clock.now() }).where('id', '=', ids.review).execute()
  expect(await report(reporter, 'review', ids.review, { reason: 'harassment' })).toBe(204)
  expect(await latest('review')).toMatchObject({ status: 'open', reportsCount: 1, reason: 'harassment' })
})

it('keeps a decided report with its case if the same is reported again, for an appeal and if the decision is undone', async () => {
  const api = moderationCalls(test)
  const [moderator, other, reported] = [await api.moderator(), await api.moderator(), await test.signUp()]
  const { id } = reported.user
  const own = async () => ((await test.request('GET', '/api/reports', reporter)).json() as OwnReport[]).map((each) => each.outcome)
  const filed = async () => (await test.request('GET', '/api/moderation-log/counts?days=30', null)).json().reports as number
  const before = await filed()
  await api.report(reporter, 'person', id, 'harassment', 'Words of March')
  const march = await api.caseOf('person', id)
  const warning = { actions: [{ action: 'warn' as const }], reason: 'harassment' as const, explanation: 'Be kind.' }
  const [warned] = await api.decided(moderator, march, warning)
  test.clock.advance({ days: 8 })
  await api.report(reporter, 'person', id, 'spam', 'Words of April')
  const april = await api.caseOf('person', id)
  await api.appeal(reported, warned?.id as string)

  const of = async (caseId: string) => {
    const { reports, reportsCount } = await api.case(other, caseId)
    return { reportsCount, reports: reports.map(({ reason, details, reporter: by }) => [reason, details, by?.id]) }
  }
  expect(await of(march)).toEqual({ reportsCount: 1, reports: [['harassment', 'Words of March', reporter.user.id]] })
  expect(await of(april)).toEqual({ reportsCount: 1, reports: [['spam', 'Words of April', reporter.user.id]] })
  expect(await own()).toEqual(['waiting', 'action_taken'])
  expect(await filed()).toBe(before + 2)

  const [dismissal] = await api.decided(moderator, april, { actions: [{ action: 'dismiss' }] })
  test.clock.advance({ days: 8 })
  await api.report(reporter, 'person', id, 'other', 'Words of May')
  await api.decided(moderator, await api.caseOf('person', id), { actions: [{ action: 'dismiss' }] })
  await api.undo(other, dismissal?.id as string)
  expect(await api.case(other, april)).toMatchObject({ status: 'open', reports: [{ details: 'Words of April' }] })
  expect(await own()).toEqual(['no_action', 'waiting', 'action_taken'])

  await eraseAll(eraseSteps.find(({ name }) => name === 'cases') as EraseStep, test.ctx, { id: reporter.user.id, email: reporter.email })
  for (const caseId of [march, april]) expect(await of(caseId)).toEqual({ reportsCount: 0, reports: [] })
})

it('refuses reports of the reporter’s own content', async () => {
  for (const subject of ['post', 'comment', 'review', 'person'] as const)
    expect(await report(writer, subject, ids[subject]), subject).toBe(403)
  expect(await report(owner, 'business', shop)).toBe(403)
  expect(await report(owner, 'post', own)).toBe(403)
  expect(await stored(writer)).toEqual([])
})

it('accepts a report of a business’s post or comment from an author who has left the team, without naming them as reported', async () => {
  const member = { business_id: shop, user_id: writer.user.id }
  const post = await addPost(writer, shop)
  const comment = await addComment(ids.post, writer)
  await test.db.updateTable('comments').set({ business_id: shop }).where('id', '=', comment).execute()
  await test.db
    .insertInto('business_members')
    .values({ ...member, role: 'staff' })
    .execute()
  expect([await report(writer, 'post', post), await report(writer, 'comment', comment)]).toEqual([403, 403])
  await test.db.deleteFrom('business_members').where('user_id', '=', writer.user.id).execute()
  expect([await report(writer, 'post', post), await report(writer, 'comment', comment)]).toEqual([204, 204])
  const cases = await test.db.selectFrom('moderation_cases').select('user_id').where('subject_id', 'in', [post, comment]).execute()
  expect(cases).toEqual([{ user_id: null }, { user_id: null }])
})

it('returns 404 for missing subjects, comments under locked posts, and content of people who blocked the reporter', async () => {
  for (const subject of Object.keys(ids)) expect(await report(reporter, subject, newId()), subject).toBe(404)
  expect(await report(reporter, 'comment', underExclusive)).toBe(404)
  // People often block someone for a reason worth reporting.
  await block(reporter, writer)
  for (const subject of ['post', 'comment', 'review', 'person'] as const) {
    expect(await report(reporter, subject, ids[subject]), subject).toBe(204)
  }
  const blocked = await test.signUp()
  await block(writer, blocked)
  for (const subject of ['post', 'comment', 'review', 'person'] as const) expect(await report(blocked, subject, ids[subject])).toBe(404)
  // The directory still shows blocked businesses, so they can be reported.
  await test.request('PUT', `/api/businesses/${shop}/block`, reporter)
  expect(await report(reporter, 'business', shop)).toBe(204)
  expect(await report(reporter, 'post', own)).toBe(404)
})

it('requires an account and valid fields', async () => {
  expect(await report(null, 'post', ids.post)).toBe(401)
  expect(await report(reporter, 'post', ids.post, { reason: 'boring' })).toBe(400)
  expect(await report(reporter, 'planet', ids.post)).toBe(400)
  expect(await report(reporter, 'post', 'not-an-id')).toBe(400)
  expect(await report(reporter, 'post', ids.post, { details: 'x'.repeat(1001) })).toBe(400)
})
