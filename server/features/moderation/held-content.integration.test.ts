import { afterAll, beforeAll, expect, it } from 'vitest'
import type { HeldContent } from '#contracts/moderation.endpoints.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { addBusiness, licensed } from '#tests/support/businesses.ts'
import { untilWaiting } from '#tests/support/locks.ts'
import { mailsTo } from '#tests/support/mailbox.ts'
import { decisionWith, moderationCalls } from '#tests/support/moderation.ts'
import { joinBusiness } from '#tests/support/social.ts'
import { statementsOf } from '#tests/support/statements.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { flagForReview, holdForReview } from './index.ts'

let test: TestApp
let api: ReturnType<typeof moderationCalls>
let writer: TestPerson
let other: TestPerson
let moderator: TestPerson

beforeAll(async () => {
  test = await startTestApp()
  api = moderationCalls(test)
  writer = await test.signUp()
  other = await test.signUp()
  moderator = await api.moderator()
  // Filters hold more of what new accounts write.
  const created_at = new Date(test.clock.now().getTime() - 40 * 86_400_000)
  await test.db.updateTable('users').set({ created_at, email_verified: true, has_completed_onboarding: true }).execute()
})
afterAll(() => test?.close())

const heldOf = async (as: TestPerson, query = '') => {
  const answer = await test.request('GET', `/api/standing/held${query}`, as)
  return { things: answer.json() as HeldContent[], next: /<([^>]+)>/.exec(String(answer.headers.link ?? ''))?.[1] }
}
const titles = async (as: TestPerson) => (await heldOf(as)).things.map(({ title }) => title)
const claim = 'It cures cancer'

async function write(as: TestPerson, title: string, content: string): Promise<string> {
  const answer = await test.request('POST', '/api/posts', as, { title, content, businessId: null })
  if (answer.statusCode !== 201) throw new Error(`${answer.statusCode} ${answer.body}`)
  test.clock.advance({ seconds: 1 })
  return answer.json().id
}

it('lists held content to its author with reasons, newest first and in pages', async () => {
  const first = await write(writer, 'First', claim)
  const shown = await write(writer, 'Shown', 'It smells of pine')
  await write(writer, 'Second', claim)
  const comment = await test.request('POST', `/api/posts/${shown}/comments`, writer, { content: claim })
  expect(comment.json()).toMatchObject({ moderation: 'held' })

  const { things } = await heldOf(writer)
  expect(things.map(({ subject, title, path }) => ({ subject, title, path }))).toEqual([
    { subject: 'comment', title: 'Shown', path: expect.stringContaining(`/post/${shown}`) },
    { subject: 'post', title: 'Second', path: expect.stringMatching(/^\/post\//) },
    { subject: 'post', title: 'First', path: `/post/${first}` },
  ])
  for (const { heldFor } of things) expect(heldFor).toEqual([expect.stringContaining('health claim')])
  expect(await titles(other)).toEqual([])
  expect(await titles(moderator)).toEqual([])

  const page = await heldOf(writer, '?limit=2')
  expect(page.things).toEqual(things.slice(0, 2))
  const rest = await test.request('GET', String(page.next), writer)
  expect(rest.json()).toEqual(things.slice(2))
})

it('drops content from the list once it is decided, or deleted by its author', async () => {
  const approved = await write(other, 'Approved', claim)
  const hidden = await write(other, 'Hidden', claim)
  const deleted = await write(other, 'Deleted', claim)
  await write(other, 'Waits', claim)
  expect(await titles(other)).toEqual(['Waits', 'Deleted', 'Hidden', 'Approved'])

  await api.decided(moderator, await api.caseOf('post', approved), { actions: [{ action: 'approve' }] })
  const mail = (await mailsTo(test, other.user.email)).find(({ subject }) => subject.includes('approved'))
  expect(mail?.subject).toContain('something you posted was approved')
  expect(mail?.text).not.toMatch(/appeal|decision/)
  await api.decided(moderator, await api.caseOf('post', hidden), {
    actions: [{ action: 'hide' }],
    reason: 'health_claim',
    explanation: 'No one may say that.',
  })
  expect((await test.request('DELETE', `/api/posts/${deleted}`, other)).statusCode).toBe(204)
  expect(await titles(other)).toEqual(['Waits'])
})

it('notifies the author once per item, unless they turned the topic off', async () => {
  const author = await test.signUp()
  const created_at = new Date(test.clock.now().getTime() - 40 * 86_400_000)
  await test.db
    .updateTable('users')
    .set({ created_at, email_verified: true, has_completed_onboarding: true })
    .where('id', '=', author.user.id)
    .execute()
  const notices = async () => {
    await test.runJobs()
    const rows = (await test.request('GET', '/api/notifications', author)).json() as { type: string; content: string; actionUrl: string }[]
    return rows.filter(({ type }) => type === 'content_held')
  }
  const id = await write(author, 'Held', claim)
  expect(await notices()).toMatchObject([{ content: expect.stringContaining('health claim'), actionUrl: '/standing' }])
  await test.request('PATCH', `/api/posts/${id}`, author, { content: `${claim} for good` })
  expect(await notices()).toHaveLength(1)
  await test.request('POST', '/api/notifications/mark-all-read', author)
  await test.request('PATCH', `/api/posts/${id}`, author, { content: `${claim}, they say` })
  expect(await notices()).toHaveLength(1)
  await write(author, 'Another', claim)
  expect(await notices()).toHaveLength(2)

  const off = (['in_app', 'email', 'push'] as const).map((channel) => ({ channel, topic: 'held' as const, is_on: false }))
  await test.db
    .insertInto('notification_choices')
    .values(off.map((choice) => ({ ...choice, user_id: author.user.id })))
    .execute()
  await write(author, 'Third', claim)
  // The list omits notifications that the person turned off, so this reads the table.
  await test.runJobs()
  const rows = await test.db
    .selectFrom('notifications')
    .select('id')
    .where('user_id', '=', author.user.id)
    .where('type', '=', 'content_held')
    .execute()
  expect(rows).toHaveLength(2)
})

it('assigns held content to the teammate who edited it, not to the author who left the team', async () => {
  const [author, editor] = [await test.signUp(), await test.signUp()]
  const shop = await addBusiness(test.db, licensed)
  for (const { user } of [author, editor]) await joinBusiness(test.db, user.id, shop.id, 'staff')
  const created_at = new Date(test.clock.now().getTime() - 40 * 86_400_000)
  await test.db.updateTable('users').set({ created_at, email_verified: true, has_completed_onboarding: true }).execute()
  const ok = async (method: 'POST' | 'PATCH' | 'PUT', url: string, as: TestPerson, payload: object) => {
    const answer = await test.request(method, url, as, payload)
    expect(answer.statusCode, answer.body).toBeLessThan(300)
    return answer.json()
  }
  const post = await ok('POST', '/api/posts', author, { title: 'Of the shop', content: 'It smells of pine', businessId: shop.id })
  const comment = await ok('POST', `/api/posts/${post.id}/comments`, author, { content: 'Come by', businessId: shop.id })
  const day = new Date(test.clock.now().getTime() + 5 * 86_400_000).toISOString().slice(0, 10)
  const details = { title: 'Tour', description: 'See the plants', startsLocal: `${day}T18:00`, endsLocal: `${day}T20:00` }
  const place = { timeZone: 'America/Denver', locationId: null, venue: '', city: 'Denver, CO', audience: 'everyone', capacity: null }
  const event = await ok('POST', `/api/businesses/${shop.id}/events`, author, { ...details, ...place })
  await test.db.deleteFrom('business_members').where('user_id', '=', author.user.id).execute()

  await ok('PATCH', `/api/posts/${post.id}`, editor, { content: 'It smells of lemon' })
  const authorOf = (table: 'posts' | 'comments', id: string) =>
    test.db.selectFrom(table).select('author_id').where('id', '=', id).executeTakeFirstOrThrow()
  expect(await authorOf('posts', post.id)).toEqual({ author_id: author.user.id })
  // The comment first, because only a visible post's comments can be edited.
  await ok('PATCH', `/api/comments/${comment.id}`, editor, { content: claim })
  await ok('PATCH', `/api/posts/${post.id}`, editor, { content: claim })
  await ok('PUT', `/api/events/${event.id}`, editor, { ...details, ...place, description: claim })
  expect(await authorOf('posts', post.id)).toEqual({ author_id: editor.user.id })
  expect(await authorOf('comments', comment.id)).toEqual({ author_id: editor.user.id })

  expect((await heldOf(editor)).things.map(({ subject }) => subject).toSorted()).toEqual(['comment', 'event', 'post'])
  expect(await titles(author)).toEqual([])
  await test.runJobs()
  const told = async (as: TestPerson) =>
    ((await test.request('GET', '/api/notifications', as)).json() as { type: string }[]).filter(({ type }) => type === 'content_held')
  expect(await told(editor)).toHaveLength(3)
  expect(await told(author)).toEqual([])
  const caseId = await api.caseOf('post', post.id)
  expect((await api.case(moderator, caseId)).person?.id).toBe(editor.user.id)
  const [warning] = await api.decided(moderator, caseId, decisionWith({ action: 'remove' }, { action: 'warn' }))
  const action = await test.db
    .selectFrom('moderation_actions')
    .select('user_id')
    .where('id', '=', warning?.id as string)
    .executeTakeFirst()
  expect(action).toEqual({ user_id: editor.user.id })
})

it('refuses a decision on content that was edited after the moderator read it', async () => {
  const id = await write(writer, 'Read', `${claim}, I read`)
  const caseId = await api.caseOf('post', id)
  const { version } = await api.case(moderator, caseId)
  expect((await test.request('PATCH', `/api/posts/${id}`, writer, { content: `${claim}. Call me to buy some.` })).statusCode).toBe(200)
  const approve = { actions: [{ action: 'approve' as const }] }
  const late = await api.decide(moderator, caseId, { ...approve, version })
  expect(late.statusCode).toBe(409)
  expect(late.json().message).toBe('This changed after you opened the case. Read it again before you decide.')
  const opened = await api.case(moderator, caseId)
  expect(opened).toMatchObject({ status: 'open', state: 'held' })
  await api.decided(moderator, caseId, { ...approve, version: opened.version })
  expect((await test.request('GET', `/api/posts/${id}`, other)).statusCode).toBe(200)
})

it('puts flags and holds of the same business in one case, with every flag’s finding and the last hold’s', async () => {
  const { id } = await addBusiness(test.db, { name: 'Flagged' })
  const about = { subject: 'business' as const, subjectId: id, userId: null, businessId: id, communityId: null, now: test.clock.now() }
  const finding = { rule: 'possible_duplicate', says: 'It has the name of another.', path: '/business/other' }
  await inTransaction(test.db, (tx) => flagForReview(tx, { ...about, finding }))
  await inTransaction(test.db, (tx) => holdForReview(tx, test.ctx, { ...about, findings: [{ rule: 'sale', says: 'It sells.' }] }))
  await inTransaction(test.db, (tx) => holdForReview(tx, test.ctx, { ...about, findings: [{ rule: 'health', says: 'It heals.' }] }))
  const cases = () => test.db.selectFrom('moderation_cases').select(['source', 'findings']).where('subject_id', '=', id).execute()
  const held = { rule: 'health', says: 'It heals.' }
  expect(await cases()).toEqual([{ source: 'filter', findings: [held, finding] }])
  await inTransaction(test.db, (tx) => flagForReview(tx, { ...about, finding: { ...finding, path: '/business/third' } }))
  expect(await cases()).toEqual([{ source: 'filter', findings: [held, finding, { ...finding, path: '/business/third' }] }])
})

it('uses the same number of statements for a full page as for one item of each kind', async () => {
  const someone = await test.signUp()
  const created_at = new Date(test.clock.now().getTime() - 40 * 86_400_000)
  await test.db.updateTable('users').set({ created_at, email_verified: true }).where('id', '=', someone.user.id).execute()
  const hold = async (title: string) => {
    const id = await write(someone, `Shown ${title}`, 'It smells of pine')
    await test.request('POST', `/api/posts/${id}/comments`, someone, { content: claim })
    await write(someone, title, claim)
  }
  await hold('First')
  const few = await statementsOf(async () => expect((await heldOf(someone)).things).toHaveLength(2))
  await hold('Second')
  await hold('Third')
  const many = await statementsOf(async () => expect((await heldOf(someone)).things).toHaveLength(6))
  expect(many).toHaveLength(few.length)
})

it('undoes a dismissal while a check opens another case', async () => {
  const post = await write(writer, 'Flagged', 'It smells of pine')
  const [decision] = await api.decided(moderator, await api.reported('post', post), { actions: [{ action: 'dismiss' }] })
  const finding = { rule: 'picture', says: 'A check found something', path: 'media.0' }
  const calls = await inTransaction(test.db, async (tx) => {
    const about = {
      subject: 'post',
      subjectId: post,
      userId: writer.user.id,
      businessId: null,
      communityId: null,
      now: test.clock.now(),
    } as const
    await flagForReview(tx, { ...about, finding })
    const undoing = api.undo(await api.moderator(), decision?.id as string)
    await untilWaiting(test.db)
    return { undoing }
  })
  const answer = await calls.undoing
  expect(answer.statusCode, answer.body).toBe(200)
  const cases = await test.db.selectFrom('moderation_cases').select('status').where('subject_id', '=', post).orderBy('opened_at').execute()
  expect(cases.map(({ status }) => status).sort()).toEqual(['decided', 'open'])
})
