import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Draft } from '#contracts/drafts.ts'
import type { Notification } from '#contracts/notifications.ts'
import type { Mail } from '#server/kernel/mail.ts'
import { addBusiness, type TestBusiness } from '#tests/support/businesses.ts'
import { addMember } from '#tests/support/keepers.ts'
import { addMedia } from '#tests/support/posts.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { draftJobs } from './index.ts'

let test: TestApp
let owner: TestPerson
let staff: TestPerson
let shop: TestBusiness
const mails: Mail[] = []

beforeAll(async () => {
  test = await startTestApp()
  test.ctx.mail.send = async (mail) => void mails.push(mail)
  shop = await addBusiness(test.db, { name: 'Scheduled Farm' })
  owner = await addMember(test, shop, 'owner')
  staff = await addMember(test, shop, 'staff')
})
afterAll(() => test?.close())
beforeEach(() => {
  mails.length = 0
})

async function made<Answer = Draft>(
  as: TestPerson,
  method: 'POST' | 'PUT' | 'PATCH' | 'GET',
  url: string,
  payload?: object,
): Promise<Answer> {
  const answer = await test.request(method, url, as, payload)
  expect(answer.statusCode, `${method} ${url}: ${answer.body}`).toBeLessThan(300)
  return answer.json()
}
async function schedule(as: TestPerson, details: { businessId: string | null; mediaIds?: string[] }): Promise<string> {
  const { id } = await made(as, 'POST', '/api/drafts', { title: 'Open on Friday', content: 'zebrawood', ...details })
  await reschedule(as, id)
  return id
}
const reschedule = (as: TestPerson, id: string) =>
  made(as, 'PUT', `/api/drafts/${id}/schedule`, { publishAt: new Date(test.clock.now().getTime() + 7_200_000).toISOString() })
async function publishDue(): Promise<void> {
  test.clock.advance({ hours: 3 })
  for (let i = 0; i < 2; i++) await draftJobs(test.ctx)['drafts.publish-due']({})
  await test.runJobs()
  test.clock.advance({ minutes: 5 })
  await test.runJobs()
}

const mailsTo = ({ email }: TestPerson) => mails.filter(({ to, text }) => to === email && text.includes('wasn’t published'))
async function notices(person: TestPerson, reason: string) {
  const all = await made<Notification[]>(person, 'GET', '/api/notifications')
  return all
    .filter(({ type, content }) => type === 'draft_failed' && content === reason)
    .map(({ title, actionUrl }) => ({ title, actionUrl }))
}
const ofShop = () => ({
  title: 'A scheduled post for Scheduled Farm wasn’t published',
  actionUrl: `/business-dashboard?tab=social&business=${shop.slug}`,
})

it('doesn’t publish a post whose scheduler left the team, and notifies those who can post, without quoting the text', async () => {
  const leaver = await addMember(test, shop, 'staff')
  const id = await schedule(leaver, { businessId: shop.id })
  await test.db.deleteFrom('business_members').where('user_id', '=', leaver.user.id).execute()
  await publishDue()
  const error = 'The person who scheduled this can no longer post for the business. Schedule it again.'
  expect(await made(owner, 'GET', `/api/drafts/${id}`)).toMatchObject({ status: 'failed', error })
  for (const person of [owner, staff]) {
    expect(mailsTo(person)).toHaveLength(1)
    expect(await notices(person, error)).toEqual([ofShop()])
  }
  expect(mailsTo(leaver)).toEqual([])
  expect(await notices(leaver, error)).toEqual([])
  expect(JSON.stringify(mails)).not.toContain('zebrawood')
  // Servers of the previous version leave this column empty during an upgrade.
  await test.db.updateTable('notifications').set({ draft_id: null }).where('draft_id', '=', id).execute()
  expect(await notices(owner, error)).toEqual([ofShop()])

  await reschedule(owner, id)
  await publishDue()
  expect(await test.db.selectFrom('posts').select('author_id').where('id', '=', id).execute()).toEqual([{ author_id: owner.user.id }])
  expect(await notices(owner, error)).toEqual([])
})

it('notifies everyone who can post for the business, and only the author of a personal post', async () => {
  for (const businessId of [shop.id, null]) {
    const { id } = await addMedia(test.db, staff.user.id)
    await schedule(staff, { businessId, mediaIds: [id] })
    await test.db.updateTable('media').set({ status: 'processing' }).where('id', '=', id).execute()
  }
  await publishDue()
  const error = 'One of these uploads isn’t ready'
  expect(mailsTo(staff)).toHaveLength(2)
  expect(mailsTo(owner)).toHaveLength(1)
  expect(await notices(owner, error)).toEqual([ofShop()])
  const personal = { title: 'A scheduled post wasn’t published', actionUrl: '/create-post' }
  expect((await notices(staff, error)).toSorted((a, b) => b.title.length - a.title.length)).toEqual([ofShop(), personal])
})

it('emails no one who turned off emails or this topic', async () => {
  const prefer = (as: TestPerson, changes: object) => made(as, 'PATCH', '/api/notification-preferences', changes)
  await prefer(owner, { isEmailOn: false })
  await prefer(staff, { topics: [{ topic: 'drafts', channels: { email: false } }] })
  await schedule(staff, { businessId: shop.id })
  await test.db
    .updateTable('users')
    .set({ muted_until: new Date('2060-01-01') })
    .where('id', '=', staff.user.id)
    .execute()
  await publishDue()
  const error = 'The person who scheduled this can’t post here right now.'
  expect([...mailsTo(owner), ...mailsTo(staff)]).toEqual([])
  expect(await notices(owner, error)).toEqual([ofShop()])
})
