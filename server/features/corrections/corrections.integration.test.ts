import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { BusinessSummary } from '#contracts/businesses.ts'
import type { Correction, CorrectionCase } from '#contracts/corrections.endpoints.ts'
import { findAuditBreak } from '#server/features/audit/index.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { addListing } from '#tests/support/listings.ts'
import { lockAuditLog, untilWaiting } from '#tests/support/locks.ts'
import { giveRole } from '#tests/support/roles.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let t: TestApp
let author: TestPerson
let other: TestPerson
let third: TestPerson
let moderator: TestPerson
let newcomer: TestPerson
let listing: { id: string; slug: string }

beforeAll(async () => {
  t = await startTestApp()
  for (const _ of ['author', 'other', 'third', 'moderator']) await t.signUp()
  author = await t.signUp()
  other = await t.signUp()
  third = await t.signUp()
  moderator = await t.signUp()
  await giveRole(t, moderator, 'moderator')
  t.clock.advance({ days: 2 })
  newcomer = await t.signUp()
})
afterAll(async () => {
  expect(await findAuditBreak(t.db)).toBeNull()
  await t.close()
})

beforeEach(async () => {
  listing = await addListing(t.db)
  t.clock.advance({ minutes: 1 })
  // Keeps the suggestions of earlier tests out of the daily limit.
  await t.db
    .updateTable('corrections')
    .set({ created_at: new Date('2026-01-01') })
    .where('state', '!=', 'open')
    .execute()
})

const suggest = (as: TestPerson | null, body: object, id = listing.slug) => t.request('POST', `/api/businesses/${id}/corrections`, as, body)
const vote = (as: TestPerson | null, { id }: Correction, agrees = true) => t.request('PUT', `/api/corrections/${id}/vote`, as, { agrees })
const settle = (as: TestPerson | null, { id }: Correction, what: 'accept' | 'reject' | 'undo') =>
  t.request('POST', `/api/corrections/${id}/${what}`, as)
const list = async (as: TestPerson, query = '') =>
  (await t.request('GET', `/api/businesses/${listing.id}/corrections${query}`, as)).json() as Correction[]
const page = async () => (await t.request('GET', `/api/businesses/${listing.id}`)).json()
const found = async () =>
  ((await t.request('GET', '/api/businesses?limit=100')).json() as BusinessSummary[]).some(({ id }) => id === listing.id)
const cases = async (as = moderator, query = '?limit=100') =>
  ((await t.request('GET', `/api/corrections${query}`, as)).json() as CorrectionCase[]).map(({ correction }) => correction.id)
const audit = async () =>
  (await t.db.selectFrom('audit_log').select('action').where('business_id', '=', listing.id).orderBy('sequence').execute()).map(
    ({ action }) => action,
  )
const news = async (person: TestPerson) => {
  await t.runJobs()
  const rows = (await t.request('GET', '/api/notifications', person)).json() as { title: string; type: string; path: string }[]
  return rows.filter(({ type }) => type.startsWith('correction_')).map(({ title }) => title)
}

async function suggested(body: object = { kind: 'closed' }, as = author): Promise<Correction> {
  const answer = await suggest(as, body)
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json()
}

describe('a listing that no one runs', () => {
  it('is marked closed once a second person agrees', async () => {
    const correction = await suggested()
    expect(correction).toMatchObject({ state: 'open', isYours: true, agreeCount: 0, abilities: { vote: false, withdraw: true } })
    expect(await found()).toBe(true)
    expect((await list(other))[0]).toMatchObject({ isYours: false, abilities: { vote: true, settle: false, withdraw: false } })
    const agreed = await vote(other, correction)
    expect(agreed.json()).toMatchObject({ state: 'applied', settledAs: 'members', agreeCount: 1, yourVote: 'agree' })
    expect((await page()).closure).toMatchObject({ kind: 'permanent', by: 'members', reopensOn: null })
    expect(await found()).toBe(false)
    expect(await list(other)).toEqual([])
    expect(await list(other, '?state=settled')).toMatchObject([{ id: correction.id, state: 'applied' }])
    expect(await audit()).toEqual(['correction.suggested', 'correction.applied'])
    expect((await news(author))[0]).toMatch(/^The change you suggested for Listing \d+ was made$/)
    expect(await news(other)).toEqual([])
    expect((await vote(other, correction)).statusCode).toBe(200)
    expect(await audit()).toHaveLength(2)
  })

  it('is changed only once when several people agree at the same time', async () => {
    const correction = await suggested({ kind: 'phone', phone: '303-555-0188' })
    const answers = await Promise.all([vote(other, correction), vote(third, correction), vote(other, correction)])
    const [theirs, thirds, repeated] = answers.map(({ statusCode }) => statusCode)
    // Either person may be first. A repeated vote gets the same response.
    expect([theirs, thirds].toSorted()).toEqual([200, 409])
    expect(repeated).toBe(theirs)
    expect((await page()).phone).toBe('303-555-0188')
    expect((await audit()).filter((action) => action === 'correction.applied')).toHaveLength(1)
  })

  it('treats the same value from another person as agreement', async () => {
    await suggested({ kind: 'phone', phone: '(303) 555-0177' })
    const again = await suggest(author, { kind: 'phone', phone: '303-555-0177' })
    expect(again.json()).toMatchObject({ state: 'open' })
    expect((await suggest(other, { kind: 'phone', phone: '303.555.0177' })).json()).toMatchObject({ state: 'applied' })
    expect((await page()).phone).toBe('(303) 555-0177')
  })

  it('refuses an incomplete phone number', async () => {
    const answer = await suggest(author, { kind: 'phone', phone: '12' })
    expect([answer.statusCode, Object.keys(answer.json().fields)]).toEqual([400, ['phone']])
  })

  it('waits for a moderator once someone disagrees', async () => {
    const correction = await suggested()
    expect((await vote(third, correction, false)).json()).toMatchObject({ disagreeCount: 1, yourVote: 'disagree' })
    expect((await vote(other, correction)).json()).toMatchObject({ state: 'open', agreeCount: 1, disagreeCount: 1 })
    expect(await cases()).toContain(correction.id)
    expect((await settle(moderator, correction, 'accept')).json()).toMatchObject({ state: 'applied', settledAs: 'moderators' })
    expect((await page()).closure).toMatchObject({ by: 'moderators' })
  })

  it('moves within its state, and register imports don’t move it back', async () => {
    expect((await suggest(author, { kind: 'moved', location: 'Portland, OR', address: '1 Main St' })).statusCode).toBe(201)
    const [out] = await list(other)
    // The shop's license is from Colorado.
    expect((await vote(other, out as Correction)).json().fields.location).toContain('Colorado')
    const correction = await suggested({ kind: 'moved', location: 'Boulder', address: '9 Pearl St' })
    expect(correction.value).toEqual({ kind: 'moved', location: 'Boulder, CO', address: '9 Pearl St' })
    expect((await suggest(author, { kind: 'moved', location: 'Boulder, CO 80302', address: '9 Pearl St' })).json().id).toBe(correction.id)
    expect((await vote(other, correction)).statusCode).toBe(200)
    expect(await page()).toMatchObject({ location: 'Boulder, CO', city: 'Boulder', address: '9 Pearl St', pin: { precision: 'city' } })
    const row = await t.db.selectFrom('businesses').select('edited_fields').where('id', '=', listing.id).executeTakeFirstOrThrow()
    expect(row.edited_fields).toEqual(['address', 'location'])
    // The other suggestion of a move no longer applies.
    expect(await list(other)).toEqual([])
  })

  it('never stores a farm’s address', async () => {
    listing = await addBusiness(t.db, { type: 'farm' })
    const correction = await suggested({ kind: 'moved', location: 'Boulder, CO', address: '9 Pearl St' })
    expect(JSON.stringify(correction)).not.toContain('Pearl')
    await vote(other, correction)
    expect(await page()).toMatchObject({ location: 'Boulder, CO', address: null, pin: { precision: 'city' } })
  })

  it('gets its hours from a suggestion', async () => {
    const hours = Array.from({ length: 7 }, (_, i) =>
      i === 6
        ? []
        : [
            { opens: 540, closes: 720 },
            { opens: 780, closes: 1260 },
          ],
    )
    const overlapping = hours.with(0, [
      { opens: 540, closes: 700 },
      { opens: 600, closes: 800 },
    ])
    const wrong = await suggested({ kind: 'hours', hours: overlapping })
    expect((await vote(other, wrong)).statusCode).toBe(400)
    const correction = await suggested({ kind: 'hours', hours: hours.map((day) => day.toReversed()) })
    await vote(other, correction)
    const [main] = (await t.request('GET', `/api/businesses/${listing.id}/locations`)).json()
    expect(main).toMatchObject({ hours, timeZone: 'America/Denver' })
    expect((await suggest(third, { kind: 'hours', hours })).statusCode).toBe(409)
    expect((await settle(moderator, correction, 'undo')).statusCode).toBe(200)
    expect((await t.request('GET', `/api/businesses/${listing.id}/locations`)).json()[0].hours).toBeNull()
  })
})

it('reads suggested hours in the time zone of the listing’s county', async () => {
  listing = await addBusiness(t.db, { city: 'Ontario', state: 'OR' })
  const hours = Array.from({ length: 7 }, () => [{ opens: 540, closes: 1260 }])
  await vote(other, await suggested({ kind: 'hours', hours }))
  expect((await t.request('GET', `/api/businesses/${listing.id}/locations`)).json()).toMatchObject([{ hours, timeZone: 'America/Boise' }])
})

describe('suggesting and confirming', () => {
  it('refuses the author, visitors and accounts younger than a day', async () => {
    expect((await suggest(null, { kind: 'closed' })).statusCode).toBe(401)
    const correction = await suggested({ kind: 'closed' }, newcomer)
    expect((await vote(newcomer, correction)).json().message).toContain('Someone else has to confirm it')
    const second = await t.signUp()
    expect((await vote(second, correction)).json().message).toContain('a day old')
    expect((await vote(null, correction)).statusCode).toBe(401)
    expect((await list(second))[0]?.abilities).toMatchObject({ vote: false, voteRefusal: expect.stringContaining('a day old') })
    expect((await page()).closure).toBeNull()
    expect((await settle(other, correction, 'accept')).statusCode).toBe(403)
    expect((await settle(other, correction, 'undo')).statusCode).toBe(403)
  })

  it('refuses muted people, and moderators who decide on their own suggestion', async () => {
    const correction = await suggested({ kind: 'closed' }, moderator)
    expect(await cases()).not.toContain(correction.id)
    expect((await settle(moderator, correction, 'accept')).statusCode).toBe(403)
    const muted = new Date(t.clock.now().getTime() + 86_400_000)
    await t.db.updateTable('users').set({ muted_until: muted }).where('id', '=', third.user.id).execute()
    expect((await suggest(third, { kind: 'phone', phone: '303-555-0111' })).json().code).toBe('muted')
    expect((await vote(third, correction)).statusCode).toBe(403)
    await t.db.updateTable('users').set({ muted_until: null }).where('id', '=', third.user.id).execute()
  })

  it('limits suggestions per day, and refuses values rejected before', async () => {
    const correction = await suggested()
    expect((await settle(moderator, correction, 'reject')).json()).toMatchObject({ state: 'rejected' })
    expect((await news(author))[0]).toContain('was rejected')
    expect((await suggest(other, { kind: 'closed' })).json().message).toContain('rejected')
    const spammer = await t.signUp()
    for (let i = 0; i < 10; i++) {
      expect((await suggest(spammer, { kind: 'website', website: `https://shop-${i}.example` })).statusCode).toBe(201)
    }
    const refused = await suggest(spammer, { kind: 'website', website: 'https://shop.example' })
    expect(refused.statusCode).toBe(429)
    expect(refused.headers['retry-after']).toBeDefined()
  })

  it('limits suggestions per day even if they’re sent at the same time about different businesses', async () => {
    const spammer = await t.signUp()
    for (let i = 0; i < 9; i++) await suggested({ kind: 'website', website: `https://shop-${i}.example` }, spammer)
    const elsewhere = [await addListing(t.db), await addListing(t.db)]
    const { started } = await t.db.transaction().execute(async (tx) => {
      await lockAuditLog(tx)
      const both = elsewhere.map(({ slug }) => suggest(spammer, { kind: 'closed' }, slug))
      await untilWaiting(t.db, { count: 2 })
      return { started: both }
    })
    expect((await Promise.all(started)).map(({ statusCode }) => statusCode).sort()).toEqual([201, 429])
  })

  it('allows a rejected or undone value again 30 days after that decision, however old the suggestion', async () => {
    const [closed, phone] = [{ kind: 'closed' }, { kind: 'phone', phone: '303-555-0166' }]
    const [rejected, undone] = [await suggested(closed), await suggested(phone)]
    await vote(other, undone)
    await settle(moderator, rejected, 'reject')
    await settle(moderator, undone, 'undo')
    const daysAgo = (days: number) => new Date(t.clock.now().getTime() - days * 86_400_000)
    const decided = async (days: number) => {
      const times = { created_at: daysAgo(days + 40), settled_at: daysAgo(days) }
      const undoneTimes = { ...times, settled_at: daysAgo(days + 39), undone_at: daysAgo(days) }
      await t.db.updateTable('corrections').set(times).where('id', '=', rejected.id).execute()
      await t.db.updateTable('corrections').set(undoneTimes).where('id', '=', undone.id).execute()
    }
    await decided(29)
    for (const value of [closed, phone]) expect((await suggest(third, value)).json().message).toContain('rejected or undone')
    await decided(31)
    for (const value of [closed, phone]) expect((await suggest(third, value)).statusCode).toBe(201)
  })

  it('refuses values the listing already has, and suggestions for fictional or hidden businesses', async () => {
    expect((await suggest(author, { kind: 'open' })).json().message).toBe('The listing already says this.')
    expect((await suggest(author, { kind: 'phone', phone: '(303) 555-0100' })).statusCode).toBe(409)
    const demo = await addBusiness(t.db, { is_demo: true })
    expect((await suggest(author, { kind: 'closed' }, demo.id)).json().message).toContain('fictional')
    const correction = await suggested()
    await t.db.updateTable('businesses').set({ moderation: 'hidden' }).where('id', '=', listing.id).execute()
    expect((await suggest(author, { kind: 'phone', phone: '(303) 555-0188' })).statusCode).toBe(404)
    expect((await vote(other, correction)).statusCode).toBe(404)
    expect(await cases()).not.toContain(correction.id)
  })

  it('lets only its author withdraw a suggestion', async () => {
    const correction = await suggested()
    const withdraw = (as: TestPerson) => t.request('DELETE', `/api/corrections/${correction.id}`, as)
    expect((await withdraw(other)).statusCode).toBe(403)
    expect((await withdraw(author)).statusCode).toBe(204)
    expect((await withdraw(author)).statusCode).toBe(204)
    expect((await vote(other, correction)).statusCode).toBe(409)
    expect(await list(author)).toEqual([])
  })

  it('still waits for a moderator if a disputed suggestion is withdrawn and repeated', async () => {
    const withdraw = async ({ id }: Correction) =>
      expect((await t.request('DELETE', `/api/corrections/${id}`, author)).statusCode).toBe(204)
    const first = await suggested()
    for (const person of [third, moderator]) await vote(person, first, false)
    await withdraw(first)
    const second = await suggested()
    expect(second).toMatchObject({ state: 'open', disagreeCount: 2 })
    expect((await vote(other, second)).json()).toMatchObject({ state: 'open', agreeCount: 1, disagreeCount: 2 })
    expect((await page()).closure).toBeNull()
    // Only the latest vote of each person counts.
    await vote(third, second)
    await withdraw(second)
    expect(await suggested()).toMatchObject({ state: 'open', agreeCount: 0, disagreeCount: 1 })
    expect((await list(moderator))[0]).toMatchObject({ yourVote: 'disagree' })
  })
})

describe('a business that someone runs', () => {
  let owner: TestPerson
  let manager: TestPerson
  let staff: TestPerson

  beforeEach(async () => {
    owner = await t.signUp()
    manager = await t.signUp()
    staff = await t.signUp()
    await t.db.updateTable('businesses').set({ claimed_at: t.clock.now() }).where('id', '=', listing.id).execute()
    const team = [
      { user_id: owner.user.id, role: 'owner' as const },
      { user_id: manager.user.id, role: 'manager' as const },
      { user_id: staff.user.id, role: 'staff' as const },
    ]
    await t.db
      .insertInto('business_members')
      .values(team.map((member) => ({ ...member, business_id: listing.id })))
      .execute()
  })

  it('is changed only by its owner and managers', async () => {
    const correction = await suggested({ kind: 'phone', phone: '303-555-0144' })
    expect(await news(owner)).toHaveLength(1)
    expect(await news(manager)).toHaveLength(1)
    expect(await news(staff)).toEqual([])
    expect((await list(staff))[0]?.abilities.voteRefusal).toContain('Only its owner and managers can')
    expect((await vote(other, correction)).json()).toMatchObject({ state: 'open', agreeCount: 1 })
    expect(await cases()).not.toContain(correction.id)
    expect((await vote(staff, correction)).statusCode).toBe(403)
    expect((await settle(staff, correction, 'accept')).statusCode).toBe(403)
    expect((await settle(manager, correction, 'accept')).json()).toMatchObject({ state: 'applied', settledAs: 'owner' })
    expect((await settle(owner, correction, 'accept')).statusCode).toBe(200)
    expect((await settle(owner, correction, 'reject')).statusCode).toBe(409)
    expect((await page()).phone).toBe('303-555-0144')
  })

  it('is closed only by its owner', async () => {
    const correction = await suggested()
    expect([await news(owner), await news(manager)]).toEqual([[expect.stringContaining('a change')], []])
    expect((await list(manager))[0]?.abilities).toMatchObject({ settle: false, voteRefusal: expect.stringContaining('Only its owner can') })
    expect((await settle(manager, correction, 'accept')).statusCode).toBe(403)
    const nameRole = (person: TestPerson, role: 'owner' | 'manager') =>
      t.db.updateTable('business_members').set({ role }).where('user_id', '=', person.user.id).execute()
    await nameRole(owner, 'manager')
    expect(await news(owner)).toEqual([])
    await nameRole(owner, 'owner')
    expect((await settle(owner, correction, 'accept')).statusCode).toBe(200)
    expect((await page()).closure).toMatchObject({ by: 'owner' })
  })

  it('refuses suggestions by its team and by people it blocked', async () => {
    expect((await suggest(owner, { kind: 'closed' })).json().message).toContain('dashboard')
    const blocked = await t.signUp()
    await t.db
      .insertInto('business_person_blocks')
      .values({ business_id: listing.id, person_id: blocked.user.id, created_at: t.clock.now() })
      .execute()
    expect((await suggest(blocked, { kind: 'closed' })).statusCode).toBe(403)
  })

  it('has its suggestions listed for moderators if the owner hasn’t decided after two weeks', async () => {
    const correction = await suggested()
    const count = async () => (await t.request('GET', '/api/admin/waiting', moderator)).json().corrections
    const before = await count()
    await t.db
      .updateTable('corrections')
      .set({ created_at: new Date(t.clock.now().getTime() - 15 * 86_400_000) })
      .where('id', '=', correction.id)
      .execute()
    expect(await cases()).toContain(correction.id)
    expect(await count()).toBe(before + 1)
  })
})

describe('undo by a moderator', () => {
  it('restores the listing only once', async () => {
    const correction = await suggested()
    await vote(other, correction)
    expect(await cases(moderator, '?state=settled&limit=100')).toContain(correction.id)
    expect((await settle(moderator, correction, 'undo')).json()).toMatchObject({ state: 'undone' })
    expect((await settle(moderator, correction, 'undo')).statusCode).toBe(200)
    expect((await page()).closure).toBeNull()
    expect(await found()).toBe(true)
    expect(await audit()).toEqual(['correction.suggested', 'correction.applied', 'correction.undone'])
  })

  it('restores the location with its pin, and lets imports update it again', async () => {
    const before = await page()
    const correction = await suggested({ kind: 'moved', location: 'Boulder, CO 80302' })
    await vote(other, correction)
    expect(await page()).toMatchObject({ location: 'Boulder, CO', zip: '80302', pin: { precision: 'zip' } })
    // The ZIP code stays if someone suggests the same place without it.
    expect((await suggest(third, { kind: 'moved', location: 'Boulder, CO' })).statusCode).toBe(409)
    await settle(moderator, correction, 'undo')
    expect(await page()).toMatchObject({ location: before.location, address: before.address, pin: before.pin, city: before.city })
    const row = await t.db.selectFrom('businesses').select('edited_fields').where('id', '=', listing.id).executeTakeFirstOrThrow()
    expect(row.edited_fields).toEqual([])
  })

  it('is refused if the listing has changed since', async () => {
    const correction = await suggested({ kind: 'phone', phone: '303-555-0144' })
    await vote(other, correction)
    await t.db.updateTable('businesses').set({ phone: '303-555-0199' }).where('id', '=', listing.id).execute()
    expect((await settle(moderator, correction, 'undo')).statusCode).toBe(409)
    expect((await page()).phone).toBe('303-555-0199')
  })
})
