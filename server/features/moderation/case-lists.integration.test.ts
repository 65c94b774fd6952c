import { afterAll, beforeAll, expect, it } from 'vitest'
import { reportReasons } from '#contracts/moderation.rules.ts'
import type { ModerationCase, ModerationLoad } from '#contracts/moderation.ts'
import { eraseSteps } from '#server/app/registries.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { eraseAll } from '#server/kernel/own-data.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { findWrongCounters } from '#tests/support/counters.ts'
import { decisionWith, moderationCalls } from '#tests/support/moderation.ts'
import { addComment, addPost } from '#tests/support/social.ts'
import { statementsOf } from '#tests/support/statements.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { holdForReview } from './index.ts'

let test: TestApp
let api: ReturnType<typeof moderationCalls>
let moderator: TestPerson
let writer: TestPerson

beforeAll(async () => {
  test = await startTestApp()
  api = moderationCalls(test)
  moderator = await api.moderator()
  writer = await test.signUp()
})
afterAll(async () => {
  expect(test && (await findWrongCounters(test.db))).toEqual([])
  await test?.close()
})

async function personPost(): Promise<string> {
  await test.db
    .updateTable('users')
    .set((eb) => ({ posts_count: eb('posts_count', '+', 1) }))
    .where('id', '=', writer.user.id)
    .execute()
  return addPost(test.db, { author_id: writer.user.id })
}

it('uses as many statements for a page of cases as for one case of each kind', async () => {
  const reportAll = async () => {
    const post = await personPost()
    const comment = await addComment(test.db, { post_id: post, author_id: writer.user.id })
    await test.db.updateTable('posts').set({ comments_count: 1 }).where('id', '=', post).execute()
    for (const [subject, id] of [
      ['post', post],
      ['comment', comment],
      ['person', (await test.signUp()).user.id],
    ] as const)
      await api.reported(subject, id)
  }
  const listed = async (limit: number) => {
    const answer = await test.request('GET', `/api/moderation/cases?limit=${limit}`, moderator)
    return (answer.json() as ModerationCase[]).map(({ subject }) => subject)
  }
  await reportAll()
  const few = await statementsOf(async () => expect((await listed(50)).toSorted()).toEqual(['comment', 'person', 'post']))
  await reportAll()
  await reportAll()
  const many = await statementsOf(async () => expect(await listed(50)).toHaveLength(9))
  expect(many).toHaveLength(few.length)
})

async function erase({ user, email }: TestPerson): Promise<void> {
  for (const step of eraseSteps) {
    if (['posts', 'cases'].includes(step.name)) await eraseAll(step, test.ctx, { id: user.id, email })
  }
}

it('keeps open cases about a business’s content, but without the author, when the author deletes their account', async () => {
  const author = await test.signUp()
  const shop = await addBusiness(test.db)
  const ofShop = await addPost(test.db, { author_id: author.user.id, business_id: shop.id })
  const own = await addPost(test.db, { author_id: author.user.id })
  await test.db.updateTable('users').set({ posts_count: 1 }).where('id', '=', author.user.id).execute()
  const kept = await api.reported('post', ofShop)
  const gone = await api.reported('post', own)
  await erase(author)
  const cases = await api.cases(moderator, 'kind=reports')
  expect(cases.map(({ id }) => id)).not.toContain(gone)
  expect(cases.find(({ id }) => id === kept)).toMatchObject({ reportsCount: 1, person: null, isThere: true })
  const opened = await api.case(moderator, kept)
  expect(opened).toMatchObject({ reports: [{ reason: 'spam' }], history: null, mayDo: ['dismiss', 'hide', 'remove'] })
  const [decision] = await api.decided(moderator, kept, decisionWith({ action: 'remove' }))
  expect(decision).toMatchObject({ action: 'remove' })
})

it('keeps a report in the queue and its count if the only reporter deletes their account', async () => {
  const counts = async () => (await test.request('GET', '/api/moderation/load', moderator)).json() as ModerationLoad
  const before = await counts()
  const [reporter, post] = [await test.signUp(), await personPost()]
  await api.report(reporter, 'post', post)
  const caseId = await api.caseOf('post', post)
  await erase(reporter)
  const found = (await api.cases(moderator, 'kind=reports')).find(({ id }) => id === caseId)
  expect(found).toMatchObject({ reportsCount: 0, source: 'report' })
  expect(await counts()).toMatchObject({ open: before.open + 1, reported: before.reported + 1, held: before.held })
  // Content that is reported and then held is in both lists.
  await api.report(await test.signUp(), 'post', post)
  const held = {
    subject: 'post',
    subjectId: post,
    userId: writer.user.id,
    businessId: null,
    communityId: null,
    now: test.clock.now(),
  } as const
  await inTransaction(test.db, (tx) => holdForReview(tx, test.ctx, { ...held, findings: [{ rule: 'health' }] }))
  expect(await counts()).toMatchObject({ open: before.open + 1, reported: before.reported + 1, held: before.held + 1 })
})

it('shows three comments before and after a reported comment, and its parent', async () => {
  const post = await personPost()
  const say = (content: string, minute: number, parent_id: string | null = null, details = {}) =>
    addComment(test.db, {
      post_id: post,
      author_id: writer.user.id,
      content,
      parent_id,
      created_at: new Date(Date.UTC(2026, 0, 1, 0, minute)),
      ...details,
    })
  const top: string[] = []
  for (let i = 0; i < 9; i++) top.push(await say(`top ${i}`, 10 * i))
  const replies: string[] = []
  for (let i = 0; i < 3; i++) replies.push(await say(`reply ${i}`, 20 + i, top[1]))
  await say('deleted', 39, null, { is_deleted: true, content: '' })
  await test.db.updateTable('posts').set({ comments_count: 12 }).where('id', '=', post).execute()
  await test.db
    .updateTable('comments')
    .set({ replies_count: 3 })
    .where('id', '=', top[1] as string)
    .execute()
  const around = async (comment: string) => {
    const { context } = await api.case(moderator, await api.reported('comment', comment))
    return context.map(({ text, isSubject }) => (isSubject ? `[${text}]` : text))
  }
  expect(await around(top[4] as string)).toEqual(['top 1', 'top 2', 'top 3', '[top 4]', 'top 5', 'top 6', 'top 7'])
  expect(await around(replies[1] as string)).toEqual(['top 1', 'reply 0', '[reply 1]', 'reply 2'])
})

it.each(reportReasons)('shows %s instead of a less serious reason, whatever the order of reports', async (reason) => {
  const [early, late] = [await personPost(), await personPost()]
  for (const each of ['other', reason]) await api.reported('post', late, each)
  for (const each of [reason, 'other']) await api.reported('post', early, each)
  const cases = await api.cases(moderator)
  for (const post of [early, late]) expect(cases.find(({ subjectId }) => subjectId === post)?.reason).toBe(reason)
})
