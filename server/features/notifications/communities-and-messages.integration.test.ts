import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Notification, NotificationPreferences } from '#contracts/notifications.ts'
import { newId } from '#server/kernel/ids.ts'
import { ServiceUnavailableError } from '#server/kernel/jobs.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { addCommunity } from '#tests/support/communities.ts'
import { mailsTo } from '#tests/support/mailbox.ts'
import { messagesOf } from '#tests/support/messages.ts'
import { giveRole } from '#tests/support/roles.ts'
import { joinBusiness, subscribeTo } from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

/** Tests the path from API calls in communities, messages and moderation to the resulting notifications. */

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
const notified = async (as: TestPerson) => (await test.request('GET', '/api/notifications', as)).json() as Notification[]
const unread = async (as: TestPerson) => (await test.request('GET', '/api/notifications/unread-count', as)).json().count as number
const newCommunity = (visibility: 'public' | 'private' | 'invite_only') =>
  addCommunity(test.db, { owner: ann.user.id }, { name: `The ${visibility} one`, visibility })
/** Emails wait for more notifications of the same kind. */
async function later() {
  await test.runJobs()
  test.clock.advance({ minutes: 5 })
  await test.runJobs()
}

it('notifies moderators of a request to join and the person of the decision', async () => {
  const { id, slug } = await newCommunity('invite_only')
  await does('POST', `/api/communities/${id}/join`, ben, { message: 'May I?' })
  expect((await notified(ann))[0]).toMatchObject({
    type: 'community_request',
    title: 'Ben Birch asked to join “The invite_only one”',
    content: '',
    actionUrl: `/communities/${slug}?section=manage`,
  })
  await does('POST', `/api/communities/${id}/requests/${ben.user.id}`, ann)
  expect((await notified(ben))[0]).toMatchObject({
    type: 'community_joined',
    title: 'You’re now a member of “The invite_only one”',
    actionUrl: `/communities/${slug}`,
    person: null,
    business: null,
  })
  await test.db.updateTable('community_members').set({ role: 'member' }).where('user_id', '=', ann.user.id).execute()
  expect((await notified(ann)).filter(({ type }) => type === 'community_request')).toEqual([])
})

it('notifies a person again if they left a community and were let in a second time', async () => {
  const { id, slug } = await newCommunity('invite_only')
  for (const times of [1, 2]) {
    await does('POST', `/api/communities/${id}/join`, ben, { message: '' })
    await does('POST', `/api/communities/${id}/requests/${ben.user.id}`, ann)
    expect((await notified(ben)).filter(({ actionUrl }) => actionUrl === `/communities/${slug}`)).toHaveLength(times)
    await does('DELETE', `/api/communities/${id}/membership`, ben)
    test.clock.advance({ days: 1 })
  }
})

it('notifies of an invitation to a private community only while it is open', async () => {
  await does('PUT', `/api/people/${ann.user.id}/follow`, ben)
  const { id } = await newCommunity('private')
  const invitation = await does('POST', `/api/communities/${id}/invitations`, ann, { personId: ben.user.id, days: 7 })
  expect((await notified(ben))[0]).toMatchObject({ type: 'community_invitation', title: 'Ann Ash invited you to “The private one”' })
  const before = await unread(ben)
  await does('DELETE', `/api/communities/${id}/invitations/${invitation.id}`, ann)
  expect(JSON.stringify(await notified(ben))).not.toContain('private one')
  expect(await unread(ben)).toBe(before - 1)
  await does('POST', `/api/communities/${id}/invitations`, ann, { personId: ben.user.id, days: 7 })
  expect(JSON.stringify(await notified(ben))).toContain('private one')
  test.clock.advance({ days: 8 })
  expect(JSON.stringify(await notified(ben))).not.toContain('private one')
})

it('notifies the author of an accepted answer only while it is accepted', async () => {
  const { id } = await newCommunity('public')
  await does('POST', `/api/communities/${id}/join`, ben)
  const question = { communityId: id, postType: 'question', title: 'Why yellow?', content: 'The lower leaves' }
  const post = await does('POST', '/api/community-posts', ann, question)
  const answer = await does('POST', `/api/posts/${post.id}/comments`, ben, { content: 'Nitrogen' })
  await does('PUT', `/api/community-posts/${post.id}/accepted-answer`, ann, { commentId: answer.id })
  expect((await notified(ben))[0]).toMatchObject({
    type: 'answer_accepted',
    title: 'Ann Ash accepted your answer to “Why yellow?”',
    content: '',
    actionUrl: `/post/${post.id}#comment-${answer.id}`,
  })
  await does('DELETE', `/api/community-posts/${post.id}/accepted-answer`, ann)
  expect((await notified(ben)).filter(({ type }) => type === 'answer_accepted')).toEqual([])
  expect((await notified(ben)).filter(({ type }) => type === 'person_post')).toEqual([])
})

it('names the moderator who accepted an answer, and lists it with the time of acceptance', async () => {
  const { id } = await newCommunity('public')
  for (const member of [ben, cleo]) await does('POST', `/api/communities/${id}/join`, member)
  const question = { communityId: id, postType: 'question', title: 'Why brown?', content: 'The upper leaves' }
  const post = await does('POST', '/api/community-posts', ben, question)
  const answer = await does('POST', `/api/posts/${post.id}/comments`, cleo, { content: 'Light' })
  test.clock.advance({ days: 1 })
  const acceptedAt = test.clock.now().toISOString()
  await does('PUT', `/api/community-posts/${post.id}/accepted-answer`, ann, { commentId: answer.id })
  const [latest] = await notified(cleo)
  expect(latest).toMatchObject({ title: 'Ann Ash accepted your answer to “Why brown?”', person: { id: ann.user.id } })
  expect((latest?.createdAt ?? '') >= acceptedAt).toBe(true)
})

it('names a message’s sender but never its text, and emails it only if the request was accepted and it is unread', async () => {
  await does('PATCH', '/api/notification-preferences', ben, {
    ...(await test.request('GET', '/api/notification-preferences', ben)).json(),
    emailRhythm: 'each',
  })
  const request = await chat.openWith(cleo, ben)
  await chat.send(cleo, request.id, 'A secret about turnips')
  await test.runJobs()
  expect((await notified(ben))[0]).toMatchObject({
    type: 'message_request',
    title: 'Cleo Cedar wants to message you',
    actionUrl: `/messages/${request.id}`,
  })
  expect((await mailsTo(test, ben.email)).filter(({ text }) => text.includes('Cleo'))).toEqual([])
  await chat.accept(ben, request.id)
  expect((await notified(ben)).filter(({ type }) => type === 'message_request')).toEqual([])

  await chat.read(ben, request.id, 1)
  await chat.send(cleo, request.id, 'And one about parsnips')
  await later()
  // In the app, messages have their own badge.
  expect((await notified(ben)).filter(({ type }) => type === 'message')).toEqual([])
  const mails = await mailsTo(test, ben.email)
  expect(mails.filter(({ text }) => text.includes('You have new messages from Cleo Cedar'))).toHaveLength(1)
  expect(mails.filter(({ text }) => /turnips|parsnips/.test(text))).toEqual([])

  await chat.send(cleo, request.id, 'Read before the mail goes out')
  await test.runJobs()
  await chat.read(ben, request.id, 3)
  await later()
  expect((await mailsTo(test, ben.email)).filter(({ text }) => text.includes('You have new messages'))).toHaveLength(1)
})

it('emails messages immediately despite a digest, up to once an hour per unread conversation', async () => {
  const dee = await test.signUp({ firstName: 'Dee', lastName: 'Dogwood' })
  const conversation = await chat.openWith(cleo, dee)
  await chat.send(cleo, conversation.id, 'Hello')
  await chat.accept(dee, conversation.id)
  await chat.read(dee, conversation.id, 1)
  const count = async () => (await mailsTo(test, dee.email)).filter(({ text }) => text.includes('new messages from Cleo')).length
  for (const [text, mailed] of [
    ['Are you there?', 1],
    ['Still me', 1],
  ] as const) {
    await chat.send(cleo, conversation.id, text)
    await later()
    expect(await count()).toBe(mailed)
  }
  test.clock.advance({ hours: 1 })
  await chat.send(cleo, conversation.id, 'An hour later')
  await later()
  expect(await count()).toBe(2)
  await chat.read(dee, conversation.id, 4)
  await chat.send(cleo, conversation.id, 'Thank you for reading')
  await later()
  expect(await count()).toBe(3)
})

it('emails a business’s first message to its subscriber', async () => {
  const { id: businessId } = await addBusiness(test.db, { name: 'Blue Door' })
  await joinBusiness(test.db, ann.user.id, businessId)
  await subscribeTo(test.db, cleo.user.id, businessId)
  const { id } = await chat.open(ann, { kind: 'person', id: cleo.user.id }, businessId)
  await chat.send(ann, id, 'We have new cuttings')
  await later()
  const mails = await mailsTo(test, cleo.email)
  expect(mails.filter(({ text }) => text.includes('You have new messages from Blue Door'))).toHaveLength(1)
  expect(mails.filter(({ text }) => text.includes('cuttings'))).toEqual([])
})

it('shows a customer who joined the team no notification of their own message', async () => {
  const { id: businessId } = await addBusiness(test.db, { name: 'Green Door' })
  await joinBusiness(test.db, ann.user.id, businessId)
  await subscribeTo(test.db, cleo.user.id, businessId)
  const preferences = (await test.request('GET', '/api/notification-preferences', cleo)).json() as NotificationPreferences
  const everywhere = { topic: 'messages', channels: { in_app: true, email: true, push: true } }
  await does('PATCH', '/api/notification-preferences', cleo, { ...preferences, topics: [everywhere] })
  const { id } = await chat.open(cleo, { kind: 'business', id: businessId })
  await chat.send(cleo, id, 'May I work for you?')
  await chat.send(ann, id, 'Welcome')
  await test.runJobs()
  const fromShop = async () => (await notified(cleo)).filter(({ actionUrl }) => actionUrl === `/messages/${id}`).map(({ title }) => title)
  expect(await fromShop()).toEqual(['You have new messages from Green Door'])
  await joinBusiness(test.db, cleo.user.id, businessId, 'staff')
  await chat.read(cleo, id, 2)
  await chat.send(cleo, id, 'Thank you')
  await test.runJobs()
  expect(await fromShop()).toEqual([])
})

it('notifies a person of actions, reversals, and appeal decisions about their content, and no one of a dismissed report', async () => {
  const first = await test.signUp()
  const second = await test.signUp()
  for (const person of [first, second]) await giveRole(test, person, 'moderator')
  const post = await does('POST', '/api/posts', ben, { title: 'A garden', content: 'Of some kind', businessId: null })
  const caseOf = async (reporter: TestPerson) => {
    await does('POST', '/api/reports', reporter, { subject: 'post', subjectId: post.id, reason: 'spam' })
    return (await test.request('GET', '/api/moderation/cases?scope=site', first)).json()[0].id as string
  }
  const notices = async () => (await notified(ben)).filter(({ type }) => type === 'moderation_notice' || type === 'appeal_decided')

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
  expect(titles).toContain('Your appeal succeeded: the decision was reversed')
  const mails = (await mailsTo(test, ben.email)).map(({ subject, text }) => `${subject}\n${text}`)
  expect(mails.some((text) => text.includes('a decision about something you posted') && text.includes(actionUrl))).toBe(true)
  expect(mails.some((text) => text.includes('your appeal was decided'))).toBe(true)
  expect(mails.filter((text) => /five times|You are right|A garden/.test(text))).toEqual([])
})

it('notifies people of decisions while the mail server is down, and emails each once when it is back', async () => {
  const moderator = await test.signUp()
  await giveRole(test, moderator, 'moderator')
  const dan = await test.signUp()
  const post = await does('POST', '/api/posts', dan, { title: 'A shed', content: 'Of some kind', businessId: null })
  await does('POST', '/api/reports', cleo, { subject: 'post', subjectId: post.id, reason: 'spam' })
  const [found] = (await test.request('GET', '/api/moderation/cases?scope=site', moderator)).json()
  const { jobs, mail } = test.ctx
  const { send } = mail
  const queued = vi.spyOn(jobs, 'enqueue')
  mail.send = async () => {
    throw new ServiceUnavailableError('The mail server is away.')
  }
  try {
    const decision = { actions: [{ action: 'warn' }], reason: 'spam', explanation: 'The same words five times' }
    const decided = await test.request('POST', `/api/moderation/cases/${found.id}/decide`, moderator, decision)
    await expect(test.runJobs()).rejects.toThrow('away')
    expect((await notified(dan)).map(({ title }) => title)).toEqual(['A warning from the moderators'])
    mail.send = send
    const again = queued.mock.calls.filter(([name]) => /^notifications\.(mail-decision|notify-of-moderation)$/.test(name))
    // The mail server is back before the email is retried, but the decision is already undone.
    await does('POST', `/api/moderation/actions/${decided.json().decisions[0].id}/undo`, moderator, { reason: 'A mistake' })
    for (const [name, data] of again) await jobs.enqueue(name, data)
    const subjects = (await mailsTo(test, dan.email)).map(({ subject }) => subject)
    expect(subjects.filter((subject) => subject.includes('decision'))).toEqual([
      expect.stringContaining('a decision about your account'),
      expect.stringContaining('a decision was reversed'),
    ])
    expect(await notified(dan)).toHaveLength(2)
  } finally {
    mail.send = send
    queued.mockRestore()
  }
})

it('names the community that a person was restricted in, and what was hidden', async () => {
  const { id: communityId } = await newCommunity('public')
  const titleOf = async (
    action: 'ban' | 'mute' | 'warn' | 'hide',
    subject: 'person' | 'gallery_item' | 'product',
    community: string | null = null,
  ) => {
    const ids = { id: newId(), user_id: ben.user.id }
    const about = { action, subject, subject_id: ben.user.id, community_id: community, reason: 'harassment' }
    await test.db
      .insertInto('moderation_actions')
      .values({ ...ids, ...about })
      .execute()
    const notice = { type: 'moderation_notice', group_key: ids.id, moderation_action_id: ids.id } as const
    await test.db
      .insertInto('notifications')
      .values({ ...ids, ...notice })
      .execute()
    return (await notified(ben)).find(({ actionUrl }) => actionUrl.endsWith(ids.id))?.title
  }
  expect(await titleOf('ban', 'person', communityId)).toBe('You’ve been banned from The public one')
  expect(await titleOf('mute', 'person', communityId)).toBe('You can read but not write in The public one for a while')
  expect(await titleOf('warn', 'person', communityId)).toBe('A warning from the moderators of The public one')
  expect(await titleOf('ban', 'person')).toBe('Your account is banned')
  expect(await titleOf('hide', 'gallery_item')).toBe('Your photo was hidden by the moderators')
  expect(await titleOf('hide', 'product')).toBe('Your menu item was hidden by the moderators')
})
