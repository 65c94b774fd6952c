import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { PersonReview } from '#contracts/reviews.endpoints.ts'
import type { Rating, RatingSummary } from '#contracts/reviews.ts'
import { newId } from '#server/kernel/ids.ts'
import { decisionWith, moderationCalls } from '#tests/support/moderation.ts'
import { addMedia } from '#tests/support/posts.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let owner: TestPerson
let staff: TestPerson
let ada: TestPerson
let bo: TestPerson
let shop: { id: string; slug: string }
let shops = 0
const published: { name: string; data: unknown }[] = []

beforeAll(async () => {
  test = await startTestApp()
  owner = await test.signUp({ firstName: 'Olga', lastName: 'Owner' })
  staff = await test.signUp({ firstName: 'Sten', lastName: 'Staff' })
  ada = await test.signUp({ firstName: 'Ada', lastName: 'Reader' })
  bo = await test.signUp({ firstName: 'Bo', lastName: 'Reader' })
  const { publish } = test.ctx.events
  test.ctx.events.publish = async (tx, name, data) => {
    published.push({ name, data })
    return publish(tx, name, data)
  }
})
afterAll(() => test?.close())
beforeEach(async () => {
  const made = await test.request('POST', '/api/businesses', owner, { businessName: `Shop ${++shops}`, location: 'Denver, CO' })
  shop = made.json()
  await test.db.insertInto('business_members').values({ business_id: shop.id, user_id: staff.user.id, role: 'staff' }).execute()
  published.length = 0
})

const save = (as: TestPerson | null, rating: number, review = '', details: object = {}) =>
  test.request('PUT', `/api/businesses/${shop.slug}/rating`, as, { rating, review, ...details })
const remove = (as: TestPerson | null) => test.request('DELETE', `/api/businesses/${shop.id}/rating`, as)
const summary = async (as: TestPerson | null = null) =>
  (await test.request('GET', `/api/businesses/${shop.slug}/ratings/summary`, as)).json() as RatingSummary
const list = async (as: TestPerson | null = null) =>
  (await test.request('GET', `/api/businesses/${shop.id}/ratings`, as)).json() as Rating[]
const helpful = (method: 'PUT' | 'DELETE', as: TestPerson | null, id: string) => test.request(method, `/api/ratings/${id}/helpful`, as)
const reply = (as: TestPerson | null, id: string, content: string) => test.request('PUT', `/api/ratings/${id}/reply`, as, { content })
const block = (as: TestPerson, whom: TestPerson, method: 'PUT' | 'DELETE' = 'PUT') =>
  test.request(method, `/api/people/${whom.user.id}/block`, as)

it('keeps one review per person and updates average, count, and distribution', async () => {
  const first = (await save(ada, 5, 'Kind people')).json() as RatingSummary
  expect(first).toMatchObject({ average: 5, total: 1, counts: [0, 0, 0, 0, 1], mayReview: true, refusal: null })
  expect(first.own).toMatchObject({ rating: 5, review: 'Kind people', isOwn: true, isFreebie: false, editedAt: null, reply: null })
  await save(bo, 2)
  expect(await summary()).toMatchObject({ average: 3.5, total: 2, counts: [0, 1, 0, 0, 1], own: null })
  const changed = (await save(ada, 4, 'Still kind', { isFreebie: true })).json() as RatingSummary
  expect(changed).toMatchObject({ average: 3, total: 2, counts: [0, 1, 0, 1, 0] })
  expect(changed.own).toMatchObject({ id: first.own?.id, rating: 4, isFreebie: true, editedAt: expect.any(String) })
  expect((await test.request('GET', `/api/businesses/${shop.slug}`)).json()).toMatchObject({ averageRating: 3, totalRatings: 2 })
  for (let i = 0; i < 2; i++) expect((await remove(ada)).json()).toMatchObject({ average: 2, total: 1, counts: [0, 1, 0, 0, 0], own: null })
  expect((await test.request('GET', `/api/businesses/${shop.slug}`)).json()).toMatchObject({ averageRating: 2, totalRatings: 1 })
  await remove(bo)
  expect(await summary()).toMatchObject({ average: 0, total: 0, counts: [0, 0, 0, 0, 0] })
})

it('refuses to overwrite a review that its author has changed elsewhere', async () => {
  const { own: first } = (await save(ada, 2, 'Slow')).json() as RatingSummary
  const edited = await save(ada, 4, 'Much better now', { editedAt: first?.editedAt })
  expect(edited.json().own).toMatchObject({ rating: 4, review: 'Much better now' })
  expect((await save(ada, 4, 'Much better now', { editedAt: first?.editedAt })).json(), 'a repeated request').toEqual(edited.json())
  const outdated = await save(ada, 2, 'Slow', { editedAt: first?.editedAt })
  expect([outdated.statusCode, outdated.json().code]).toEqual([409, 'conflict'])
  expect((await summary(ada)).own).toEqual(edited.json().own)
  expect((await save(ada, 5, 'Best', { editedAt: edited.json().own.editedAt })).json().own).toMatchObject({ rating: 5, review: 'Best' })
})

it('notifies only of a new review and of changed stars or text', async () => {
  const { own } = (await save(ada, 5, 'Good')).json() as RatingSummary
  await save(ada, 5, 'Good')
  await save(ada, 5, 'Good', { isFreebie: true })
  await save(ada, 4, 'Good')
  await save(ada, 4, 'Fair')
  expect(published).toEqual(Array.from({ length: 3 }, () => ({ name: 'review.written', data: { reviewId: own?.id } })))
})

it('refuses a review by the business’s own staff, visitors, and people still in onboarding, and gives the reason', async () => {
  for (const person of [owner, staff]) {
    const refused = await save(person, 5)
    expect(refused.statusCode).toBe(403)
    expect(refused.json().message).toBe('You run this business, so you can’t review it.')
    expect(await summary(person)).toMatchObject({ mayReview: false, refusal: refused.json().message })
  }
  expect((await save(null, 5)).statusCode).toBe(401)
  expect(await summary(null)).toMatchObject({ mayReview: false, refusal: 'Sign in to write a review.', own: null })
  const newcomer = await test.signUp()
  await test.db.updateTable('users').set({ has_completed_onboarding: false }).where('id', '=', newcomer.user.id).execute()
  expect((await save(newcomer, 5)).statusCode).toBe(403)
  expect((await summary(newcomer)).mayReview).toBe(false)
  expect(await summary()).toMatchObject({ total: 0 })
  for (const rating of [0, 6, 2.5]) expect((await save(ada, rating)).statusCode).toBe(400)
  expect((await save(ada, 3, 'x'.repeat(4001))).statusCode).toBe(400)
  const nowhere = { rating: 3 }
  expect((await test.request('PUT', `/api/businesses/${newId()}/rating`, ada, nowhere)).statusCode).toBe(404)
  expect((await test.request('DELETE', `/api/businesses/${newId()}/rating`, ada)).statusCode).toBe(404)
  expect((await test.request('GET', `/api/businesses/${newId()}/ratings`)).statusCode).toBe(404)
})

it('shows reviews to everyone, with only their authors’ names and pictures', async () => {
  await save(ada, 5, 'Kind people')
  await save(bo, 3)
  const answer = await test.request('GET', `/api/businesses/${shop.slug}/ratings`)
  const ratings = answer.json() as Rating[]
  expect(ratings.map(({ rating, review, user }) => [user.firstName, rating, review])).toEqual([
    ['Bo', 3, null],
    ['Ada', 5, 'Kind people'],
  ])
  expect(Object.keys(ratings[0]?.user as object).sort()).toEqual(['firstName', 'id', 'imageUrl', 'lastName'])
  expect(answer.body).not.toContain('@')
  const abilities = async (as: TestPerson | null) => (await list(as)).map((rating) => rating.abilities)
  const none = { markHelpful: false, reply: false, report: false, block: false }
  expect(await abilities(null)).toEqual([none, none])
  expect(await abilities(ada)).toEqual([{ markHelpful: true, reply: false, report: true, block: false }, none])
  expect(await abilities(staff)).toEqual(Array.from({ length: 2 }, () => ({ markHelpful: false, reply: true, report: true, block: false })))
})

it('leaves out reviews by people separated from the viewer by a block, without changing the average', async () => {
  const { own } = (await save(ada, 1, 'Hidden words')).json() as RatingSummary
  const id = own?.id as string
  await save(bo, 5)
  const blocker = await test.signUp()
  for (const [by, whom] of [
    [blocker, ada],
    [ada, blocker],
  ] as const) {
    await block(by, whom)
    const answer = await test.request('GET', `/api/businesses/${shop.id}/ratings`, blocker)
    expect(answer.body).not.toContain('Hidden words')
    expect(answer.json()).toHaveLength(1)
    expect(await summary(blocker)).toMatchObject({ average: 3, total: 2 })
    expect((await helpful('PUT', blocker, id)).statusCode).toBe(404)
    expect(await list(ada)).toHaveLength(2)
    expect(await list(null)).toHaveLength(2)
    await block(by, whom, 'DELETE')
  }
  expect(await list(blocker)).toHaveLength(2)
})

it('counts each person’s helpful vote once, and refuses the author’s and the team’s', async () => {
  const { own } = (await save(ada, 5, 'Good')).json() as RatingSummary
  const id = own?.id as string
  published.length = 0
  for (let i = 0; i < 2; i++) expect((await helpful('PUT', bo, id)).json()).toEqual({ id, isHelpful: true, helpfulCount: 1 })
  expect(published).toEqual([{ name: 'review.helped', data: { reviewId: id, userId: bo.user.id } }])
  expect((await list(bo))[0]).toMatchObject({ helpfulCount: 1, isHelpful: true })
  expect((await list(null))[0]).toMatchObject({ helpfulCount: 1, isHelpful: false })
  for (const person of [ada, owner, staff]) expect((await helpful('PUT', person, id)).statusCode).toBe(403)
  expect((await helpful('PUT', null, id)).statusCode).toBe(401)
  expect((await helpful('PUT', bo, newId())).statusCode).toBe(404)
  for (let i = 0; i < 2; i++) expect((await helpful('DELETE', bo, id)).json()).toEqual({ id, isHelpful: false, helpfulCount: 0 })
  await helpful('PUT', bo, id)
  await remove(ada)
  expect((await helpful('DELETE', bo, id)).statusCode).toBe(404)
})

it('lets people remove their helpful vote from a review that they no longer see', async () => {
  const { own } = (await save(ada, 5, 'Good')).json() as RatingSummary
  const id = own?.id as string
  await helpful('PUT', bo, id)
  await test.db.updateTable('reviews').set({ moderation: 'hidden' }).where('id', '=', id).execute()
  expect((await helpful('PUT', bo, id)).statusCode).toBe(404)
  expect((await helpful('DELETE', bo, id)).json()).toEqual({ id, isHelpful: false, helpfulCount: 0 })
  expect((await helpful('DELETE', bo, id)).statusCode).toBe(404)
})

it('accepts one reply by anyone on the team and notifies only of a new one', async () => {
  const { own } = (await save(ada, 2, 'Slow')).json() as RatingSummary
  const id = own?.id as string
  published.length = 0
  const answered = (await reply(staff, id, 'We hired someone.')).json() as Rating
  expect(answered.reply).toEqual({ content: 'We hired someone.', createdAt: expect.any(String), version: expect.any(String) })
  const changed = (await reply(owner, id, 'We hired two.')).json() as Rating
  expect(changed.reply).toMatchObject({ content: 'We hired two.', createdAt: answered.reply?.createdAt })
  expect(published).toEqual([{ name: 'review.replied', data: { reviewId: id } }])
  expect((await list(null))[0]?.reply?.content).toBe('We hired two.')
  expect(((await save(ada, 3, 'Less slow')).json() as RatingSummary).own?.reply?.content).toBe('We hired two.')
  for (const person of [ada, bo]) {
    expect((await reply(person, id, 'Mine')).statusCode).toBe(403)
    expect((await test.request('DELETE', `/api/ratings/${id}/reply`, person)).statusCode).toBe(403)
  }
  expect((await reply(null, id, 'Mine')).statusCode).toBe(401)
  expect((await reply(owner, id, ' ')).statusCode).toBe(400)
  expect((await reply(owner, newId(), 'Mine')).statusCode).toBe(404)
  for (let i = 0; i < 2; i++)
    expect((await test.request('DELETE', `/api/ratings/${id}/reply`, owner)).json()).toMatchObject({ reply: null })
})

it('refuses to change or delete a reply that a colleague has changed', async () => {
  const { own } = (await save(ada, 2, 'Slow')).json() as RatingSummary
  const id = own?.id as string
  const write = (as: TestPerson, content: string, version: string | null) =>
    test.request('PUT', `/api/ratings/${id}/reply`, as, { content, version })
  const removeReply = (as: TestPerson, version: string) => test.request('DELETE', `/api/ratings/${id}/reply?version=${version}`, as)
  const first = await write(owner, 'We hired someone.', null)
  expect((await write(owner, 'We hired someone.', null)).json(), 'a repeated request').toEqual(first.json())
  const colliding = await write(staff, 'Sorry about the wait.', null)
  expect([colliding.statusCode, colliding.json().code]).toEqual([409, 'conflict'])

  const { version } = (first.json() as Rating).reply as NonNullable<Rating['reply']>
  const second = (await write(staff, 'We hired two.', version)).json() as Rating
  expect(second.reply?.content).toBe('We hired two.')
  for (const outdated of [await write(owner, 'We hired three.', version), await removeReply(owner, version)]) {
    expect([outdated.statusCode, outdated.json().code]).toEqual([409, 'conflict'])
  }
  expect((await list())[0]?.reply).toEqual(second.reply)
  for (let i = 0; i < 2; i++) expect((await removeReply(owner, second.reply?.version as string)).json()).toMatchObject({ reply: null })
})

it('shows up to four of the author’s own pictures in order, and keeps them unless others are sent', async () => {
  const ids = await Promise.all(Array.from({ length: 5 }, async () => (await addMedia(test.db, ada.user.id)).id))
  const [first, second, third] = ids as [string, string, string]
  const photos = async (as: TestPerson | null = null) => (await list(as))[0]?.photos.map(({ id }) => id)
  const inReview = (as: TestPerson, photoIds: string[]) => save(as, 5, 'See for yourself', { photoIds })
  expect((await inReview(ada, [second, first])).json()).toMatchObject({ own: { photos: [{ id: second }, { id: first }], editedAt: null } })
  expect(await photos()).toEqual([second, first])
  await save(ada, 4, 'See for yourself')
  expect(await photos()).toEqual([second, first])
  published.length = 0
  expect(((await inReview(ada, [first, third])).json() as RatingSummary).own?.editedAt).not.toBeNull()
  expect(await photos(bo)).toEqual([first, third])
  expect((await inReview(ada, [])).json()).toMatchObject({ own: { photos: [] } })

  const video = await addMedia(test.db, ada.user.id, { kind: 'video', extension: 'mp4' })
  const unfinished = await addMedia(test.db, ada.user.id, { status: 'processing' })
  const others = await addMedia(test.db, bo.user.id)
  for (const wrong of [ids, [first, first], [video.id], [unfinished.id], [others.id], [newId()]])
    expect((await inReview(ada, wrong)).statusCode).toBe(400)
  await inReview(ada, [first])
  expect((await inReview(bo, [first])).statusCode).toBe(400)
  expect(await photos()).toEqual([first])
})

it('shows photos while the review is visible, and always to the author', async () => {
  const { id } = await addMedia(test.db, ada.user.id)
  await test.ctx.storage.put(`media/${id}/small.webp`, Buffer.from('a picture'), 'image/webp')
  const look = async (as: TestPerson | null) => (await test.request('GET', `/media/${id}/small.webp`, as)).statusCode
  expect(await look(bo)).toBe(404)
  const { own } = (await save(ada, 5, 'Look', { photoIds: [id] })).json() as RatingSummary
  expect([await look(null), await look(bo), await look(ada)]).toEqual([200, 200, 200])
  const describe = () => test.request('PATCH', `/api/media/${id}`, ada, { alt: 'The counter' })
  expect((await describe()).statusCode).toBe(200)
  expect((await list())[0]?.photos[0]?.alt).toBe('The counter')
  await test.db
    .updateTable('reviews')
    .set({ moderation: 'hidden' })
    .where('id', '=', own?.id as string)
    .execute()
  expect([await look(null), await look(bo), await look(owner), await look(ada)]).toEqual([404, 404, 404, 200])
  await remove(ada)
  expect([await look(bo), await look(ada)]).toEqual([404, 200])
})

it('holds a review that replaces one that moderators hid or removed, but not reviews of other businesses', async () => {
  const api = moderationCalls(test)
  const moderator = await api.moderator()
  const { own } = (await save(ada, 1, 'They are all crooks')).json() as RatingSummary
  const [removal] = await api.decided(moderator, await api.reported('review', own?.id as string), decisionWith({ action: 'remove' }))
  await remove(ada)
  const again = (await save(ada, 1, 'They are all crooks')).json() as RatingSummary
  expect(again).toMatchObject({ total: 0, own: { moderation: 'held', heldFor: [expect.stringContaining('earlier review')] } })
  const other = await test.request('POST', '/api/businesses', owner, { businessName: `Shop ${++shops}`, location: 'Denver, CO' })
  const elsewhere = await test.request('PUT', `/api/businesses/${other.json().id}/rating`, ada, { rating: 4, review: '', isFreebie: false })
  expect(elsewhere.json()).toMatchObject({ total: 1, own: { moderation: null } })
  await api.undo(moderator, removal?.id as string)
  await remove(ada)
  expect((await save(ada, 1, 'They were rude')).json()).toMatchObject({ total: 1, own: { moderation: null } })
})

it('lists a person’s visible reviews page by page, but shows others none if the profile is private or a block separates them', async () => {
  const writer = await test.signUp({ firstName: 'Wim', lastName: 'Writer' })
  await test.db.updateTable('users').set({ is_profile_public: true }).where('id', '=', writer.user.id).execute()
  const reviewed: string[] = []
  for (const text of ['First', 'Second', 'Third', 'Hidden']) {
    const made = await test.request('POST', '/api/businesses', owner, { businessName: `Reviewed ${++shops}`, location: 'Denver, CO' })
    reviewed.unshift(made.json().id)
    await test.request('PUT', `/api/businesses/${reviewed[0]}/rating`, writer, { rating: 4, review: text })
  }
  await test.db
    .updateTable('reviews')
    .set({ moderation: 'hidden' })
    .where('business_id', '=', reviewed[0] as string)
    .execute()
  const page = (as: TestPerson | null, query = '') => test.request('GET', `/api/people/${writer.user.id}/reviews${query}`, as)
  const texts = async (as: TestPerson) => ((await page(as)).json() as PersonReview[]).map(({ review }) => review)
  expect(await texts(ada)).toEqual(['Third', 'Second', 'First'])
  expect(((await page(ada)).json() as PersonReview[])[0]?.business.id).toBe(reviewed[1])
  const first = await page(ada, '?limit=2')
  expect((first.json() as PersonReview[]).map(({ review }) => review)).toEqual(['Third', 'Second'])
  const next = new URL(String(first.headers.link).match(/<([^>]+)>/)?.[1] ?? '', 'http://localhost')
  expect(((await page(ada, next.search)).json() as PersonReview[]).map(({ review }) => review)).toEqual(['First'])

  await test.request('PUT', `/api/businesses/${reviewed[1]}/block`, bo)
  expect(await texts(bo)).toEqual(['Second', 'First'])
  await test.db.updateTable('users').set({ is_profile_public: false }).where('id', '=', writer.user.id).execute()
  expect(await texts(ada)).toEqual([])
  expect(await texts(writer)).toEqual(['Third', 'Second', 'First'])
  await block(writer, bo)
  expect((await page(bo)).statusCode).toBe(404)
  expect((await page(null)).statusCode).toBe(401)
})
