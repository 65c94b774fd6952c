import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { HuntComment, HuntShare } from '#contracts/hunts.endpoints.ts'
import type { GrowTask, Hunt } from '#contracts/hunts.ts'
import type { Notification } from '#contracts/notifications.ts'
import type { Person } from '#contracts/people.ts'
import { giveRole } from '#tests/support/roles.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let owner: TestPerson
let friend: TestPerson
let stranger: TestPerson

beforeAll(async () => {
  test = await startTestApp()
  owner = await test.signUp({ firstName: 'Olive', lastName: 'Grower' })
  friend = await test.signUp({ firstName: 'Fern', lastName: 'Brook' })
  stranger = await test.signUp()
  await made(owner, 'PUT', `/api/people/${friend.user.id}/follow`)
})
afterAll(() => test?.close())

type Method = 'POST' | 'PUT' | 'PATCH' | 'GET' | 'DELETE'
async function made<Answer>(as: TestPerson, method: Method, url: string, payload?: object) {
  const answer = await test.request(method, url, as, payload)
  expect(answer.statusCode, `${method} ${url}: ${answer.body}`).toBeLessThan(300)
  return (answer.body === '' ? undefined : answer.json()) as Answer
}
const statusOf = async (as: TestPerson, method: Method, url: string, payload?: object) =>
  (await test.request(method, url, as, payload)).statusCode

const hunt = async (details: object = {}) =>
  `/api/pheno-hunts/${(await made<Hunt>(owner, 'POST', '/api/pheno-hunts', { huntName: 'A secret cross', ...details })).id}`
const share = (url: string, person: TestPerson, access: 'view' | 'write') =>
  made<HuntShare>(owner, 'PUT', `${url}/shares/${person.user.id}`, { access })
const publish = (url: string, visibility = 'public') => made<Hunt>(owner, 'PUT', `${url}/visibility`, { visibility })
const newsOf = async (person: TestPerson) => {
  await test.runJobs()
  return (await made<Notification[]>(person, 'GET', '/api/notifications')).filter(({ type }) => type.startsWith('hunt_'))
}

describe('a share', () => {
  it('grants viewing or writing until it is removed', async () => {
    const url = await hunt()
    expect(await statusOf(friend, 'GET', url)).toBe(404)
    await share(url, friend, 'view')
    expect(await made<Hunt>(friend, 'GET', url)).toMatchObject({ access: 'view', abilities: { write: false, own: false, leave: true } })
    expect(await statusOf(friend, 'PATCH', url, { goals: 'Mine', version: 1 })).toBe(403)
    await share(url, friend, 'write')
    expect(await made<Hunt>(friend, 'PATCH', url, { goals: 'Ours', version: 1 })).toMatchObject({ goals: 'Ours', access: 'write' })
    for (const call of ['visibility', 'completion', `shares/${stranger.user.id}`]) {
      expect(await statusOf(friend, 'PUT', `${url}/${call}`, { visibility: 'public', access: 'view' }), call).toBe(403)
    }
    expect(await statusOf(friend, 'GET', `${url}/shares`)).toBe(403)
    expect(await made<HuntShare[]>(owner, 'GET', `${url}/shares`)).toMatchObject([{ person: { name: 'Fern Brook' }, access: 'write' }])
    expect((await made<Hunt>(owner, 'GET', url)).sharesCount).toBe(1)
    await made(owner, 'DELETE', `${url}/shares/${friend.user.id}`)
    await made(owner, 'DELETE', `${url}/shares/${friend.user.id}`)
    expect(await statusOf(friend, 'GET', url)).toBe(404)
  })

  it('can be ended by its recipient', async () => {
    const url = await hunt()
    await share(url, friend, 'write')
    await made(friend, 'DELETE', `${url}/shares/${friend.user.id}`)
    expect(await statusOf(friend, 'GET', url)).toBe(404)
  })

  it('is limited to people the owner knows', async () => {
    const url = await hunt()
    expect(await statusOf(owner, 'PUT', `${url}/shares/${stranger.user.id}`, { access: 'view' })).toBe(403)
    expect(await statusOf(owner, 'PUT', `${url}/shares/${owner.user.id}`, { access: 'view' })).toBe(403)
    expect(await statusOf(owner, 'PUT', `${url}/shares/0190a1b2-0000-7000-8000-000000000000`, { access: 'view' })).toBe(404)
  })

  it('can be offered to people found by the beginning of a name, except across a block', async () => {
    const url = await hunt()
    const suggested = async (search: string) =>
      (await made<Person[]>(owner, 'GET', `${url}/people?search=${search}`)).map(({ name }) => name)
    expect(await suggested('bro')).toEqual(['Fern Brook'])
    expect(await suggested('ern')).toEqual([])
    expect(await suggested('%25')).toEqual([])
    const other = await test.signUp({ firstName: 'Brooke', lastName: 'Vale' })
    await made(other, 'PUT', `/api/people/${owner.user.id}/follow`)
    expect(await suggested('bro')).toEqual(['Brooke Vale', 'Fern Brook'])
    await share(url, friend, 'view')
    expect(await suggested('bro')).toEqual(['Brooke Vale'])
    await made(other, 'PUT', `/api/people/${owner.user.id}/block`)
    expect(await suggested('bro')).toEqual([])
  })

  it('ends when its recipient blocks the owner, and isn’t restored by unblocking', async () => {
    const partner = await test.signUp()
    await made(partner, 'PUT', `/api/people/${owner.user.id}/follow`)
    const url = await hunt()
    await share(url, partner, 'write')
    await made(partner, 'PUT', `/api/people/${owner.user.id}/block`)
    expect(await statusOf(partner, 'GET', url)).toBe(404)
    expect(await statusOf(owner, 'PUT', `${url}/shares/${partner.user.id}`, { access: 'view' })).toBe(404)
    await made(partner, 'DELETE', `/api/people/${owner.user.id}/block`)
    expect(await statusOf(partner, 'GET', url)).toBe(404)
  })

  it('notifies its recipient once, without the hunt’s content, and withdraws the notification when it ends', async () => {
    const person = await test.signUp()
    await made(person, 'PUT', `/api/people/${owner.user.id}/follow`)
    const url = await hunt({ goals: 'Not to be told' })
    await share(url, person, 'view')
    await share(url, person, 'write')
    const notices = await newsOf(person)
    expect(notices).toMatchObject([{ title: 'Olive Grower shared the hunt “A secret cross” with you', content: '' }])
    expect(notices[0]?.actionUrl).toBe(url.replace('/api/pheno-hunts', '/pheno-hunt'))
    await made(owner, 'DELETE', `${url}/shares/${person.user.id}`)
    expect(await newsOf(person)).toEqual([])
    // The notification was about the share, so publishing doesn't bring it back.
    await publish(url)
    expect(await newsOf(person)).toEqual([])
  })

  it('no longer shows a hunt that moderators hid, its tasks, or its activity', async () => {
    const person = await test.signUp()
    await made(person, 'PUT', `/api/people/${owner.user.id}/follow`)
    const url = await hunt()
    const huntId = url.split('/').at(-1) as string
    await share(url, person, 'write')
    await made(owner, 'POST', `${url}/tasks`, { title: 'Water', dueOn: '2026-11-21' })
    const listed = async (as: TestPerson) => {
      const lists = ['/api/pheno-hunts', '/api/grow-tasks', '/api/pheno-hunts/activity'].map((list) => made<object[]>(as, 'GET', list))
      return (await Promise.all(lists)).map((rows) => JSON.stringify(rows).includes(huntId))
    }
    expect(await listed(person)).toEqual([true, true, true])
    await test.db.updateTable('hunts').set({ moderation: 'hidden' }).where('id', '=', huntId).execute()
    expect(await listed(person)).toEqual([false, false, false])
    expect(await listed(owner)).toEqual([true, true, true])
  })

  it('accepts or refuses each write sent while it is being removed, and refuses all later ones', async () => {
    const url = await hunt()
    await share(url, friend, 'write')
    const answers = await Promise.all([
      test.request('DELETE', `${url}/shares/${friend.user.id}`, owner),
      ...Array.from({ length: 5 }, () => test.request('POST', `${url}/tasks`, friend, { title: 'Water', dueOn: '2026-11-21' })),
    ])
    expect(answers[0]?.statusCode).toBe(204)
    for (const answer of answers.slice(1)) expect([201, 404]).toContain(answer.statusCode)
    expect(await statusOf(friend, 'POST', `${url}/tasks`, { title: 'Water', dueOn: '2026-11-21' })).toBe(404)
  })
})

describe('a comment', () => {
  const say = (as: TestPerson, url: string, content = 'Lovely structure') => made<HuntComment>(as, 'POST', `${url}/comments`, { content })

  it('can be written under a public hunt, is counted, and notifies the owner', async () => {
    const url = await hunt()
    expect(await statusOf(owner, 'POST', `${url}/comments`, { content: 'To myself' })).toBe(409)
    await publish(url)
    const comment = await say(stranger, url)
    expect(comment).toMatchObject({ content: 'Lovely structure', abilities: { edit: true, delete: true, report: false } })
    expect((await made<Hunt>(owner, 'GET', url)).commentsCount).toBe(1)
    expect(await newsOf(owner)).toMatchObject([
      { type: 'hunt_comment', title: expect.stringContaining('commented on your hunt “A secret cross”'), content: 'Lovely structure' },
    ])
    const edited = await made<HuntComment>(stranger, 'PATCH', `/api/hunt-comments/${comment.id}`, { content: 'Better said' })
    expect(edited.editedAt).not.toBeNull()
    expect(await statusOf(friend, 'PATCH', `/api/hunt-comments/${comment.id}`, { content: 'Worse' })).toBe(403)
    expect(await statusOf(friend, 'DELETE', `/api/hunt-comments/${comment.id}`)).toBe(403)
    const twice = await Promise.all([1, 2].map(() => statusOf(owner, 'DELETE', `/api/hunt-comments/${comment.id}`)))
    expect(twice.sort()).toEqual([204, 404])
    expect((await made<Hunt>(owner, 'GET', url)).commentsCount).toBe(0)
    expect(await newsOf(owner)).toEqual([])
  })

  it('disappears with the hunt and across a block', async () => {
    const url = await hunt()
    await publish(url)
    const comment = await say(stranger, url)
    await say(friend, url, 'Congratulations')
    const blocking = await test.signUp()
    await made(blocking, 'PUT', `/api/people/${stranger.user.id}/block`)
    const seen = await made<HuntComment[]>(blocking, 'GET', `${url}/comments`)
    expect(seen.map(({ content }) => content)).toEqual(['Congratulations'])
    await publish(url, 'private')
    expect(await statusOf(stranger, 'GET', `${url}/comments`)).toBe(404)
    expect(await statusOf(stranger, 'DELETE', `/api/hunt-comments/${comment.id}`)).toBe(404)
    expect(await made<HuntComment[]>(owner, 'GET', `${url}/comments`)).toHaveLength(2)
  })

  it('can be reported, and so can a public hunt', async () => {
    const url = await hunt()
    const report = (subject: string, subjectId: string, as = friend) =>
      statusOf(as, 'POST', '/api/reports', { subject, subjectId, reason: 'spam' })
    const huntId = url.split('/').at(-1) as string
    await share(url, friend, 'view')
    expect(await report('hunt', huntId)).toBe(404)
    await publish(url)
    const comment = await say(stranger, url)
    expect(await report('hunt', huntId)).toBe(204)
    expect(await report('hunt_comment', comment.id)).toBe(204)
    expect(await report('hunt', huntId, owner)).toBe(403)
    expect(await report('hunt_comment', comment.id, stranger)).toBe(403)
    const moderator = await test.signUp()
    await giveRole(test, moderator, 'moderator')
    expect((await test.request('DELETE', `/api/hunt-comments/${comment.id}`, moderator)).statusCode).toBe(403)
  })
})

describe('a task', () => {
  const task = (as: TestPerson, url: string, details: object = {}) =>
    made<GrowTask>(as, 'POST', `${url}/tasks`, { title: 'Check trichomes', dueOn: '2026-11-20', ...details })
  const open = async (as: TestPerson, query = '') =>
    (await made<GrowTask[]>(as, 'GET', `/api/grow-tasks${query}`)).map(({ title, dueOn }) => `${dueOn} ${title}`)

  it('is listed across all active writable hunts, longest overdue first', async () => {
    const person = await test.signUp()
    await made(person, 'PUT', `/api/people/${owner.user.id}/follow`)
    const url = await hunt()
    const other = await hunt()
    await share(url, person, 'write')
    await share(other, person, 'view')
    await task(person, url, { title: 'Late', dueOn: '2026-11-18' })
    await task(owner, url, { title: 'Today', dueOn: '2026-11-21' })
    await task(owner, url, { title: 'To come', dueOn: '2026-11-25' })
    await task(owner, other, { title: 'Not theirs' })
    expect(await statusOf(person, 'POST', `${other}/tasks`, { title: 'Mine', dueOn: '2026-11-20' })).toBe(403)
    expect(await open(person, '?until=2026-11-21')).toEqual(['2026-11-18 Late', '2026-11-21 Today'])
    const first = await test.request('GET', '/api/grow-tasks?limit=2', person)
    const next = /<([^>]+)>/.exec(String(first.headers.link))?.[1] as string
    expect((await test.request('GET', next, person)).json()).toMatchObject([{ title: 'To come' }])
    await made(owner, 'PUT', `${url}/completion`, {})
    expect(await open(person)).toEqual([])
    expect(await open(person, `?huntId=${url.split('/').at(-1)}`)).toHaveLength(3)
    await publish(other)
    expect(await statusOf(stranger, 'GET', `/api/grow-tasks?huntId=${other.split('/').at(-1)}`)).toBe(403)
  })

  it('recurs once when done, and drops the next task when undone', async () => {
    const url = await hunt()
    const first = await task(owner, url, { everyDays: 3 })
    const finish = () => made<{ task: GrowTask; next: GrowTask | null }>(owner, 'PUT', `/api/grow-tasks/${first.id}/done`)
    const answers = await Promise.all([finish(), finish(), finish()])
    expect(new Set(answers.map(({ next }) => next?.id)).size).toBe(1)
    expect(answers[0]).toMatchObject({ task: { doneBy: { id: owner.user.id } } })
    const query = `?huntId=${url.split('/').at(-1)}`
    expect(await open(owner, query)).toHaveLength(1)
    expect(await made<GrowTask>(owner, 'DELETE', `/api/grow-tasks/${first.id}/done`)).toMatchObject({ doneAt: null, doneBy: null })
    expect(await open(owner, query)).toEqual(['2026-11-20 Check trichomes'])
  })

  it('is due again the next local day when it’s done in the evening, after the day has ended in UTC', async () => {
    const before = test.clock.now()
    onTestFinished(() => test.clock.set(before))
    test.clock.set(new Date('2026-11-03T02:00Z'))
    const url = await hunt()
    const { id } = await task(owner, url, { dueOn: '2026-11-02', everyDays: 1 })
    const finish = (doneOn: string) => test.request('PUT', `/api/grow-tasks/${id}/done`, owner, { doneOn })
    expect((await finish('2026-11-04')).json()).toMatchObject({ fields: { doneOn: 'This day is in the future' } })
    expect((await finish('2026-11-02')).json()).toMatchObject({ next: { dueOn: '2026-11-03' } })
  })

  it('can be changed only from its current version and for plants of the same hunt', async () => {
    const url = await hunt()
    const { id } = await task(owner, url)
    expect(await made<GrowTask>(owner, 'PATCH', `/api/grow-tasks/${id}`, { title: 'Look again', version: 1 })).toMatchObject({ version: 2 })
    expect(await statusOf(owner, 'PATCH', `/api/grow-tasks/${id}`, { title: 'Over it', version: 1 })).toBe(409)
    const elsewhere = '0190a1b2-0000-7000-8000-000000000000'
    expect(await statusOf(owner, 'PATCH', `/api/grow-tasks/${id}`, { genotypeId: elsewhere, version: 2 })).toBe(400)
    await made(owner, 'DELETE', `/api/grow-tasks/${id}`)
    expect(await statusOf(owner, 'PUT', `/api/grow-tasks/${id}/done`)).toBe(404)
  })
})
