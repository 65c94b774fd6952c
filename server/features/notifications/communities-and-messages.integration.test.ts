import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Notification } from '../../../contracts/notifications.ts'
import { addCommunity } from '../../../tests/support/communities.ts'
import { mailsTo } from '../../../tests/support/mailbox.ts'
import { messagesOf } from '../../../tests/support/messages.ts'
import { giveRole } from '../../../tests/support/roles.ts'
import { startTestApp, type TestApp, type TestPerson } from '../../../tests/support/test-app.ts'

/** What communities, messages and moderators do, from the calls that people make to what others are told of it. */

let test: TestApp
let chat: ReturnType<typeof messagesOf>
let ann: TestPerson
let ben: TestPerson
let cleo: TestPerson

beforeAll(async () => {
  test = await startTestApp()
  chat = messagesOf(test)
  ann = await test.signUp({ firstName: 'Ann', lastName: 'Ash', accountType: 'business' })
  ben = await test.signUp({ firstName: 'Ben', lastName: 'Birch' })
  cleo = await test.signUp({ firstName: 'Cleo', lastName: 'Cedar' })
})
afterAll(() => test?.close())

async function does(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, as: TestPerson, payload?: object) {
  const answer = await test.request(method, url, as, payload)
  expect(answer.statusCode, `${method} ${url} ${answer.body}`).toBeLessThan(300)
  await test.runJobs()
  return answer.body ? answer.json() : undefined
}
const told = async (as: TestPerson) => (await test.request('GET', '/api/notifications', as)).json() as Notification[]
const unread = async (as: TestPerson) => (await test.request('GET', '/api/notifications/unread-count', as)).json().count as number
const newCommunity = (visibility: 'public' | 'private' | 'invite_only') =>
  addCommunity(test.db, { owner: ann.user.id }, { name: `The ${visibility} one`, visibility })
/** Mails wait a little for more of their kind. */
async function later() {
  await test.runJobs()
  test.clock.advance({ minutes: 5 })
  await test.runJobs()
}

it('tells of a request to join while one looks after the community, and of being let in', async () => {
  const { id, slug } = await newCommunity('invite_only')
  await does('POST', `/api/communities/${id}/join`, ben, { message: 'May I?' })
  expect((await told(ann))[0]).toMatchObject({
    type: 'community_request',
    title: 'Ben Birch asked to join “The invite_only one”',
    content: '',
    actionUrl: `/communities/${slug}?section=manage`,
  })
  await does('POST', `/api/communities/${id}/requests/${ben.user.id}`, ann)
  expect((await told(ben))[0]).toMatchObject({
    type: 'community_joined',
    title: 'You are a member of “The invite_only one” now',
    actionUrl: `/communities/${slug}`,
    person: null,
    business: null,
  })
  await test.db.updateTable('community_members').set({ role: 'member' }).where('user_id', '=', ann.user.id).execute()
  expect((await told(ann)).filter(({ type }) => type === 'community_request')).toEqual([])
})

it('tells of an invitation to a private community as long as it is open, and of nothing of it afterwards', async () => {
  await does('PUT', `/api/people/${ann.user.id}/follow`, ben)
  const { id } = await newCommunity('private')
  const invitation = await does('POST', `/api/communities/${id}/invitations`, ann, { personId: ben.user.id, days: 7 })
  expect((await told(ben))[0]).toMatchObject({ type: 'community_invitation', title: 'Ann Ash invited you to “The private one”' })
  const before = await unread(ben)
  await does('DELETE', `/api/communities/${id}/invitations/${invitation.id}`, ann)
  expect(JSON.stringify(await told(ben))).not.toContain('private one')
  expect(await unread(ben)).toBe(before - 1)
  await does('POST', `/api/communities/${id}/invitations`, ann, { personId: ben.user.id, days: 7 })
  expect(JSON.stringify(await told(ben))).toContain('private one')
  test.clock.advance({ days: 8 })
  expect(JSON.stringify(await told(ben))).not.toContain('private one')
})

it('tells whose answer was accepted, as long as it is', async () => {
  const { id } = await newCommunity('public')
  await does('POST', `/api/communities/${id}/join`, ben)
  const question = { communityId: id, postType: 'question', title: 'Why yellow?', content: 'The lower leaves' }
  const post = await does('POST', '/api/community-posts', ann, question)
  const answer = await does('POST', `/api/posts/${post.id}/comments`, ben, { content: 'Nitrogen' })
  await does('PUT', `/api/community-posts/${post.id}/accepted-answer`, ann, { commentId: answer.id })
  expect((await told(ben))[0]).toMatchObject({
    type: 'answer_accepted',
    title: 'Ann Ash accepted your answer to “Why yellow?”',
    content: '',
    actionUrl: `/post/${post.id}#comment-${answer.id}`,
  })
  await does('DELETE', `/api/community-posts/${post.id}/accepted-answer`, ann)
  expect((await told(ben)).filter(({ type }) => type === 'answer_accepted')).toEqual([])
  // In a community nobody is announced what was posted.
  expect((await told(ben)).filter(({ type }) => type === 'person_post')).toEqual([])
})

it('says who wrote and never what; a stranger in the app alone, a friend by mail until it is read', async () => {
  await does('PUT', '/api/notification-preferences', ben, {
    ...(await test.request('GET', '/api/notification-preferences', ben)).json(),
    emailRhythm: 'each',
  })
  const request = await chat.openWith(cleo, ben)
  await chat.send(cleo, request.id, 'A secret about turnips')
  await test.runJobs()
  expect((await told(ben))[0]).toMatchObject({
    type: 'message_request',
    title: 'Cleo Cedar would like to write to you',
    actionUrl: `/messages/${request.id}`,
  })
  expect((await mailsTo(test, ben.email)).filter(({ text }) => text.includes('Cleo'))).toEqual([])
  await chat.accept(ben, request.id)
  expect((await told(ben)).filter(({ type }) => type === 'message_request')).toEqual([])

  await chat.read(ben, request.id, 1)
  await chat.send(cleo, request.id, 'And one about parsnips')
  await later()
  // On the site messages have a badge of their own.
  expect((await told(ben)).filter(({ type }) => type === 'message')).toEqual([])
  const mails = await mailsTo(test, ben.email)
  expect(mails.filter(({ text }) => text.includes('You have new messages from Cleo Cedar'))).toHaveLength(1)
  expect(mails.filter(({ text }) => /turnips|parsnips/.test(text))).toEqual([])

  await chat.send(cleo, request.id, 'Read before the mail goes out')
  await test.runJobs()
  await chat.read(ben, request.id, 3)
  await later()
  expect((await mailsTo(test, ben.email)).filter(({ text }) => text.includes('You have new messages'))).toHaveLength(1)
})

it('tells a person what moderators did to what is theirs, took back, and answered to an appeal; nobody of a report that came to nothing', async () => {
  const first = await test.signUp()
  const second = await test.signUp()
  for (const person of [first, second]) await giveRole(test, person, 'moderator')
  const post = await does('POST', '/api/posts', ben, { title: 'A garden', content: 'Of some kind', businessId: null })
  const caseOf = async (reporter: TestPerson) => {
    await does('POST', '/api/reports', reporter, { subject: 'post', subjectId: post.id, reason: 'spam' })
    return (await test.request('GET', '/api/moderation/cases?scope=site', first)).json()[0].id as string
  }
  const notices = async () => (await told(ben)).filter(({ type }) => type === 'moderation_notice' || type === 'appeal_decided')

  await does('POST', `/api/moderation/cases/${await caseOf(cleo)}/decide`, first, { actions: [{ action: 'dismiss' }] })
  expect(await notices()).toEqual([])

  const decision = { actions: [{ action: 'remove' }], reason: 'spam', explanation: 'The same words five times' }
  await does('POST', `/api/moderation/cases/${await caseOf(ann)}/decide`, first, decision)
  const { id: actionId } = await test.db
    .selectFrom('moderation_actions')
    .select('id')
    .where('action', '=', 'remove')
    .executeTakeFirstOrThrow()
  const actionUrl = `/standing#action-${actionId}`
  expect(await notices()).toMatchObject([
    { title: 'Your post was removed by the moderators', content: '', actionUrl, person: null, business: null },
  ])
  const appeal = await does('POST', `/api/moderation/actions/${actionId}/appeal`, ben, { content: 'They were not the same' })
  expect(appeal).toBeDefined()
  const [waiting] = (await test.request('GET', '/api/moderation/appeals', second)).json()
  await does('POST', `/api/moderation/appeals/${waiting.id}/decide`, second, { outcome: 'overturned', answer: 'You are right' })
  expect((await notices()).map((notice) => notice.actionUrl)).toEqual([actionUrl, actionUrl])
  const titles = (await notices()).map(({ title }) => title)
  expect(titles).toContain('Your appeal succeeded: the decision was taken back')
  const mails = (await mailsTo(test, ben.email)).map(({ subject, text }) => `${subject}\n${text}`)
  expect(mails.some((text) => text.includes('a decision about your account') && text.includes(actionUrl))).toBe(true)
  expect(mails.some((text) => text.includes('your appeal was decided'))).toBe(true)
  expect(mails.filter((text) => /five times|You are right|A garden/.test(text))).toEqual([])
})
