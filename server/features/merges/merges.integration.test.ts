import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Business, BusinessSummary } from '#contracts/businesses.ts'
import type { Correction, CorrectionCase } from '#contracts/corrections.endpoints.ts'
import type { Message } from '#contracts/messages.endpoints.ts'
import { findAuditBreak } from '#server/features/audit/index.ts'
import { newId } from '#server/kernel/ids.ts'
import { addEvent } from '#tests/support/business-events.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { findWrongCounters } from '#tests/support/counters.ts'
import { addListing } from '#tests/support/listings.ts'
import { addProduct } from '#tests/support/menus.ts'
import { messagesOf } from '#tests/support/messages.ts'
import { giveRole } from '#tests/support/roles.ts'
import { addPost, joinBusiness } from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { mergedColumns } from './merge-tables.ts'

let t: TestApp
let owner: TestPerson
let one: TestPerson
let two: TestPerson
let moderator: TestPerson
let from: { id: string; slug: string }
let into: { id: string; slug: string }

beforeAll(async () => {
  t = await startTestApp()
  for (const assign of [
    (person: TestPerson) => (owner = person),
    (person: TestPerson) => (one = person),
    (person: TestPerson) => (two = person),
    (person: TestPerson) => (moderator = person),
  ]) {
    assign(await t.signUp())
  }
  await giveRole(t, moderator, 'moderator')
  t.clock.advance({ days: 2 })
})
afterAll(async () => {
  expect(await findWrongCounters(t.db)).toEqual([])
  expect(await findAuditBreak(t.db)).toBeNull()
  await t.close()
})
beforeEach(async () => {
  t.clock.advance({ minutes: 1 })
  from = await addListing(t.db)
  into = await addListing(t.db)
})

const call = async (as: TestPerson | null, method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: object) => {
  t.clock.advance({ seconds: 1 })
  const answer = await t.request(method, url, as, body)
  expect(answer.statusCode, `${method} ${url}: ${answer.body}`).toBeLessThan(300)
  return answer.body === '' ? null : answer.json()
}
const merge = (as: TestPerson | null, target = into, source = from.slug) =>
  t.request('POST', `/api/businesses/${source}/merge`, as, { into: target.slug })
const merged = async (as = moderator) => {
  const answer = await merge(as)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json() as Business
}
const read = async (idOrSlug: string) => (await t.request('GET', `/api/businesses/${idOrSlug}`)).json() as Business
const own = async (business: { id: string }, person = owner) => {
  await t.db.updateTable('businesses').set({ claimed_at: t.clock.now() }).where('id', '=', business.id).execute()
  await joinBusiness(t.db, person.user.id, business.id)
}
const followingOf = async ({ user }: TestPerson) =>
  (await t.db.selectFrom('users').select('following_count').where('id', '=', user.id).executeTakeFirstOrThrow()).following_count

it('covers every column that refers to a business', async () => {
  // Some columns have no foreign key, because their rows outlive the business.
  const { rows } = await sql<{ name: string }>`
    select constraints.conrelid::regclass || '.' || columns.attname as name
    from pg_constraint constraints
    join pg_attribute columns on columns.attrelid = constraints.conrelid and columns.attnum = any(constraints.conkey)
    where constraints.contype = 'f' and constraints.confrelid = 'businesses'::regclass
    union select tables.oid::regclass || '.' || columns.attname
    from pg_class tables join pg_attribute columns on columns.attrelid = tables.oid
    where tables.relkind in ('r', 'p') and not tables.relispartition and tables.relnamespace = current_schema()::regnamespace
      and columns.attname like '%business_id' and tables.relname <> 'audit_log'`.execute(t.db)
  expect(Object.keys(mergedColumns).toSorted()).toEqual(rows.map(({ name }) => name).toSorted())
})

describe('the permission check', () => {
  it('refuses everyone but moderators and the owner of both businesses', async () => {
    expect((await merge(null)).statusCode).toBe(401)
    expect((await merge(one)).statusCode).toBe(403)
    await own(from)
    expect((await merge(owner)).statusCode).toBe(403)
    expect((await t.request('GET', `/api/businesses/${from.slug}/merge?into=${into.slug}`, owner)).statusCode).toBe(403)
    await own(into)
    expect((await merged(owner)).id).toBe(into.id)
  })

  it('refuses a moderator who helps run either business', async () => {
    await own(from, moderator)
    expect((await merge(moderator)).json().message).toContain('Another moderator')
  })

  it('returns 404 for a business that moderators hid', async () => {
    await t.db.updateTable('businesses').set({ moderation: 'hidden' }).where('id', '=', into.id).execute()
    expect((await merge(moderator)).statusCode).toBe(404)
  })
})

describe('a merge', () => {
  it('moves followers, subscribers and favorites, once per person, with exact counts', async () => {
    await own(from)
    await own(into)
    for (const business of [from, into]) {
      await call(one, 'PUT', `/api/businesses/${business.id}/follow`)
      await call(one, 'POST', '/api/favorites', { businessId: business.id })
    }
    await call(two, 'POST', '/api/subscriptions', { businessId: from.id })
    await call(one, 'POST', '/api/subscriptions', { businessId: into.id })
    await call(two, 'POST', '/api/favorites', { businessId: from.id })
    const before = [await followingOf(one), await followingOf(two)]
    const preview = await call(moderator, 'GET', `/api/businesses/${from.slug}/merge?into=${into.slug}`)
    expect(preview).toMatchObject({ obstacle: null, counts: { followers: 2, subscribers: 1, favorites: 2 }, losesMenu: false })
    expect((await merged()).subscriberCount).toBe(2)
    expect([await followingOf(one), await followingOf(two)]).toEqual([(before[0] ?? 0) - 1, before[1]])
    expect(await call(two, 'GET', `/api/businesses/${into.id}/status`)).toMatchObject({
      isSubscribed: true,
      isFollowing: true,
      isFavorited: true,
    })
    expect(await findWrongCounters(t.db)).toEqual([])
  })

  it('ends follows across a block, and preserves all blocks', async () => {
    await call(one, 'PUT', `/api/businesses/${from.id}/follow`)
    await call(one, 'PUT', `/api/businesses/${into.id}/block`)
    await call(two, 'PUT', `/api/businesses/${from.id}/block`)
    const before = await followingOf(one)
    await merged()
    expect(await followingOf(one)).toBe(before - 1)
    expect(await call(one, 'GET', `/api/businesses/${into.id}/status`)).toMatchObject({ isFollowing: false, isBlocked: true })
    expect(await call(two, 'GET', `/api/businesses/${into.id}/status`)).toMatchObject({ isBlocked: true })
  })

  it('shows a person’s newer review, and keeps the older one for their export', async () => {
    await call(one, 'PUT', `/api/businesses/${into.id}/rating`, { rating: 1, review: 'Long waits at the counter' })
    await call(one, 'PUT', `/api/businesses/${from.id}/rating`, { rating: 5, review: 'Much better now' })
    await call(two, 'PUT', `/api/businesses/${from.id}/rating`, { rating: 4, review: 'A good choice of flower' })
    const business = await merged()
    expect(business).toMatchObject({ totalRatings: 2, averageRating: 4.5 })
    const reviews = await call(null, 'GET', `/api/businesses/${into.id}/ratings`)
    expect(reviews.map(({ review }: { review: string }) => review).toSorted()).toEqual(['A good choice of flower', 'Much better now'])
    const kept = await t.db
      .selectFrom('merged_reviews')
      .select(['user_id', 'rating', 'review'])
      .where('business_id', '=', into.id)
      .execute()
    expect(kept).toEqual([{ user_id: one.user.id, rating: 1, review: 'Long waits at the counter' }])
    const entry = await t.db
      .selectFrom('audit_log')
      .select('details')
      .where('action', '=', 'business.merged')
      .orderBy('sequence', 'desc')
      .executeTakeFirstOrThrow()
    expect(entry.details).toMatchObject({ as: 'moderators', slug: from.slug })
    expect(JSON.stringify(entry)).not.toContain('Long waits')
  })

  it('moves posts, licenses, hours and the team', async () => {
    await own(from)
    await addPost(t.db, { author_id: owner.user.id, business_id: from.id, title: 'Harvest' })
    const hours = Array.from({ length: 7 }, () => [{ opens: 540, closes: 1260 }])
    await t.db
      .insertInto('locations')
      .values({ id: from.id, business_id: from.id, name: 'Main', time_zone: 'America/Denver', has_hours: true })
      .execute()
    for (let weekday = 0; weekday < 7; weekday++) {
      await t.db.insertInto('location_hours').values({ location_id: from.id, weekday, opens: 540, closes: 1260 }).execute()
    }
    const business = await merged()
    expect(business).toMatchObject({ isClaimed: true })
    expect(business.licenses).toHaveLength(2)
    expect((await call(null, 'GET', `/api/businesses/${into.id}/posts`)).map(({ title }: { title: string }) => title)).toEqual(['Harvest'])
    expect((await call(null, 'GET', `/api/businesses/${into.id}/locations`))[0]).toMatchObject({ hours })
    expect(await call(owner, 'GET', `/api/businesses/${into.id}/status`)).toMatchObject({ role: 'owner' })
  })

  it('moves a menu only if the other business has none', async () => {
    await addProduct(t.db, from.id, { name: 'Blue seeds' })
    await merged()
    const items = () => t.db.selectFrom('products').select('name').where('business_id', '=', into.id).execute()
    expect(await items()).toEqual([{ name: 'Blue seeds' }])
    from = await addListing(t.db)
    await addProduct(t.db, from.id, { name: 'Other seeds' })
    const preview = await call(moderator, 'GET', `/api/businesses/${from.slug}/merge?into=${into.slug}`)
    expect(preview).toMatchObject({ losesMenu: true, counts: { menuItems: 1 } })
    await merged()
    expect(await items()).toEqual([{ name: 'Blue seeds' }])
  })

  it('merges a person’s two conversations in order, and keeps unread messages unread', async () => {
    await own(from)
    await own(into)
    const messages = messagesOf(t)
    for (const business of [from, into]) await call(one, 'POST', '/api/subscriptions', { businessId: business.id })
    const there = await messages.open(one, { kind: 'business', id: from.id })
    const here = await messages.open(one, { kind: 'business', id: into.id })
    for (const [id, text] of [
      [there.id, 'First'],
      [here.id, 'Second'],
      [there.id, 'Third'],
    ] as const) {
      t.clock.advance({ minutes: 1 })
      await messages.send(one, id, text)
    }
    await merged()
    const list = (await call(one, 'GET', `/api/conversations/${here.id}/messages`)) as Message[]
    expect(list.map(({ content }) => content)).toEqual(['Third', 'Second', 'First'])
    expect((await t.request('GET', `/api/conversations/${there.id}`, one)).statusCode).toBe(404)
    expect(await messages.conversation(owner, here.id)).toMatchObject({ unreadCount: 3 })
    expect(await findWrongCounters(t.db)).toEqual([])
  })

  it('leaves messages that the team has deleted out of the unread count', async () => {
    await own(from)
    await own(into)
    const messages = messagesOf(t)
    for (const business of [from, into]) await call(one, 'POST', '/api/subscriptions', { businessId: business.id })
    const here = await messages.open(one, { kind: 'business', id: into.id })
    await messages.send(one, here.id, 'Here')
    const there = await messages.open(one, { kind: 'business', id: from.id })
    const { id } = await messages.send(one, there.id, 'There')
    await call(owner, 'DELETE', `/api/messages/${id}`)
    await merged()
    expect(await messages.conversation(owner, here.id)).toMatchObject({ unreadCount: 1, lastMessage: { text: 'Here' } })
  })

  it('ends RSVPs across a block', async () => {
    const going = [await addEvent(t.db, from.id), await addEvent(t.db, into.id)]
    await call(one, 'PUT', `/api/businesses/${into.id}/block`)
    await call(two, 'PUT', `/api/businesses/${from.id}/block`)
    await call(one, 'PUT', `/api/events/${going[0]}/rsvp`)
    await call(two, 'PUT', `/api/events/${going[1]}/rsvp`)
    await merged()
    const events = await t.db.selectFrom('events').select('going_count').where('business_id', '=', into.id).execute()
    expect(events).toEqual([{ going_count: 0 }, { going_count: 0 }])
  })
})

describe('a merged business', () => {
  it('redirects by ID and slug, even after another merge, and its address is never reused', async () => {
    await merged()
    for (const address of [from.id, from.slug]) expect((await read(address)).id).toBe(into.id)
    const last = await addListing(t.db)
    expect((await merge(moderator, last, into.slug)).statusCode).toBe(200)
    expect((await read(from.slug)).id).toBe(last.id)
    const search = (await t.request('GET', '/api/businesses?limit=100')).json() as BusinessSummary[]
    expect(search.some(({ id }) => id === from.id || id === into.id)).toBe(false)
    await t.db.updateTable('business_redirects').set({ slug: 'harbor-farm-denver' }).where('from_id', '=', from.id).execute()
    const made = await call(one, 'POST', '/api/businesses', { businessType: 'farm', businessName: 'Harbor Farm', location: 'Denver, CO' })
    expect(made.slug).toBe('harbor-farm-denver-2')
  })

  it('accepts a repeated merge, and is merged once by two concurrent calls', async () => {
    const answers = await Promise.all([merge(moderator), merge(moderator)])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect((await merge(moderator)).json().id).toBe(into.id)
    expect((await merge(moderator, into, into.slug)).statusCode).toBe(409)
    expect((await merge(one)).statusCode).toBe(403)
    const entries = await t.db
      .selectFrom('audit_log')
      .select('id')
      .where('subject_id', '=', from.id)
      .where('action', '=', 'business.merged')
      .execute()
    expect(entries).toHaveLength(1)
  })

  it('is only one of the two when each is merged into the other at the same time', async () => {
    const answers = await Promise.all([merge(moderator), merge(moderator, from, into.slug)])
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
    const left = await t.db.selectFrom('businesses').select('id').where('id', 'in', [from.id, into.id]).execute()
    expect(left).toHaveLength(1)
  })
})

describe('the check for obstacles', () => {
  const refusal = async () => {
    const answer = await merge(moderator)
    expect(answer.statusCode).toBe(409)
    const preview = await call(moderator, 'GET', `/api/businesses/${from.slug}/merge?into=${into.slug}`)
    expect(preview.obstacle).toBe(answer.json().message)
    return preview.obstacle as string
  }

  it('refuses two owners, an open claim, and a person who pays for both', async () => {
    await own(from, one)
    await own(into, two)
    expect(await refusal()).toContain('Different people own')
    await t.db.deleteFrom('business_members').where('business_id', '=', into.id).execute()
    await t.db
      .insertInto('claims')
      .values({
        id: newId(),
        business_id: from.id,
        user_id: two.user.id,
        method: 'review',
        status: 'open',
        statement: 'Mine',
        created_at: t.clock.now(),
      })
      .execute()
    expect(await refusal()).toContain('Decide the claim first')
    await t.db.deleteFrom('claims').where('business_id', '=', from.id).execute()
    for (const business of [from, into]) {
      await call(two, 'POST', '/api/subscriptions', { businessId: business.id })
      await t.db.updateTable('subscriptions').set({ is_paid: true }).where('business_id', '=', business.id).execute()
    }
    expect(await refusal()).toContain('pays for subscriptions to both')
    await t.db.updateTable('subscriptions').set({ is_paid: false }).where('business_id', '=', into.id).execute()
    await merged()
    const paid = await t.db.selectFrom('subscriptions').select('is_paid').where('business_id', '=', into.id).execute()
    expect(paid).toEqual([{ is_paid: true }])
  })

  it('refuses to merge a fictional business with a real one', async () => {
    from = await addBusiness(t.db, { is_demo: true })
    expect(await refusal()).toContain('fictional')
  })
})

describe('a duplicate that members suggest', () => {
  const suggest = async () =>
    (await call(one, 'POST', `/api/businesses/${from.slug}/corrections`, { kind: 'duplicate', of: into.id })) as Correction
  const accept = (as: TestPerson, { id }: Correction) => t.request('POST', `/api/corrections/${id}/accept`, as)

  it('waits for a moderator even if a second person agrees, and is merged once accepted', async () => {
    const correction = await suggest()
    expect(correction).toMatchObject({ state: 'open', duplicateOf: { id: into.id }, abilities: { merge: false } })
    const agreed = await call(two, 'PUT', `/api/corrections/${correction.id}/vote`, { agrees: true })
    expect(agreed).toMatchObject({ state: 'open', agreeCount: 1, abilities: { merge: false, settle: false } })
    expect((await accept(two, correction)).statusCode).toBe(403)
    expect((await t.request('GET', `/api/businesses/${from.id}/corrections`, moderator)).json()[0].abilities).toMatchObject({ merge: true })
    const accepted = await accept(moderator, correction)
    expect(accepted.json()).toMatchObject({ state: 'applied', settledAs: 'moderators', businessId: into.id })
    expect((await accept(moderator, correction)).statusCode).toBe(200)
    expect((await t.request('POST', `/api/corrections/${correction.id}/undo`, moderator)).statusCode).toBe(409)
    expect((await read(from.slug)).id).toBe(into.id)
    await t.runJobs()
    const news = (await t.request('GET', '/api/notifications', one)).json() as { type: string; title: string }[]
    expect(news.find(({ type }) => type === 'correction_settled')?.title).toContain('was made')
  })

  it('is merged the other way if the moderator keeps the listing it is about', async () => {
    const correction = await suggest()
    const path = `/api/corrections/${correction.id}/accept`
    const accepted = await t.request('POST', path, moderator, { keep: 'this' })
    expect(accepted.json()).toMatchObject({ state: 'applied', settledAs: 'moderators', businessId: from.id })
    expect((await t.request('POST', path, moderator, { keep: 'this' })).statusCode).toBe(200)
    expect((await read(into.slug)).id).toBe(from.id)
  })

  it('can be rejected but not merged by the owner of one business', async () => {
    await own(from)
    const correction = await suggest()
    expect((await t.request('GET', `/api/businesses/${from.id}/corrections`, owner)).json()[0].abilities).toMatchObject({
      merge: false,
      settle: true,
    })
    expect((await accept(owner, correction)).statusCode).toBe(403)
    expect(await call(owner, 'POST', `/api/corrections/${correction.id}/reject`)).toMatchObject({ state: 'rejected' })
  })

  it('goes to moderators immediately, even if the business has an owner', async () => {
    await own(from)
    const { id } = await suggest()
    const cases = (await t.request('GET', '/api/corrections', moderator)).json() as CorrectionCase[]
    expect(cases.map(({ correction }) => correction.id)).toContain(id)
  })

  it('isn’t merged if another moderator rejects it while the merge waits', async () => {
    const correction = await suggest()
    const accepted = await t.db.transaction().execute(async (tx) => {
      await tx.selectFrom('businesses').select('id').where('id', '=', from.id).forUpdate().execute()
      const answer = accept(moderator, correction)
      const waiting = sql`select pid from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`
      await expect.poll(async () => (await waiting.execute(tx)).rows).toHaveLength(1)
      const rejected = { state: 'rejected', settled_as: 'moderators', settled_by: two.user.id, settled_at: t.clock.now() } as const
      await tx.updateTable('corrections').set(rejected).where('id', '=', correction.id).execute()
      return { answer }
    })
    expect((await accepted.answer).statusCode).toBe(409)
    expect((await read(from.slug)).id).toBe(from.id)
  })

  it('can’t be the listing itself', async () => {
    const answer = await t.request('POST', `/api/businesses/${from.slug}/corrections`, two, { kind: 'duplicate', of: from.id })
    expect(answer.statusCode).toBe(409)
  })
})
