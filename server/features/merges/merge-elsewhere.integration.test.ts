import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Claim } from '#contracts/claims.ts'
import type { LicenseState, Verification } from '#contracts/verification.ts'
import type { Tx } from '#server/db/connect.ts'
import { newId } from '#server/kernel/ids.ts'
import { addEvent } from '#tests/support/business-events.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { addListing } from '#tests/support/listings.ts'
import { untilWaiting } from '#tests/support/locks.ts'
import { giveRole } from '#tests/support/roles.ts'
import { blockPerson, joinBusiness } from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let t: TestApp
let moderator: TestPerson
let from: { id: string; slug: string }
let into: { id: string; slug: string }
let elsewhere: { id: string; slug: string }

beforeAll(async () => {
  t = await startTestApp()
  moderator = await t.signUp()
  await giveRole(t, moderator, 'moderator')
})
afterAll(() => t?.close())
beforeEach(async () => {
  t.clock.advance({ minutes: 1 })
  from = await addListing(t.db)
  into = await addListing(t.db)
  elsewhere = await addListing(t.db)
})

const merge = (target: { slug: string }, address = from.slug) =>
  t.request('POST', `/api/businesses/${address}/merge`, moderator, { into: target.slug })
const read = async (idOrSlug: string) => (await t.request('GET', `/api/businesses/${idOrSlug}`)).json()

/** Merges `from` into `into`, and commits `change` before that merge gets its locks. */
async function mergeAfter(change: (tx: Tx) => Promise<unknown>) {
  const { answer } = await t.db.transaction().execute(async (tx) => {
    await tx.selectFrom('businesses').select('id').where('id', 'in', [from.id, into.id]).forUpdate().execute()
    const answer = merge(into)
    await untilWaiting(t.db, { statement: 'from "businesses"%for update' })
    await change(tx)
    return { answer }
  })
  return answer
}

it('refuses to merge a business that was already merged elsewhere, and leaves the remaining one alone', async () => {
  const { id, name } = (await merge(elsewhere)).json()
  expect(id).toBe(elsewhere.id)
  const message = `This business was already merged into ${name}.`
  for (const address of [from.id, from.slug]) {
    const again = await merge(into, address)
    expect([again.statusCode, again.json().message]).toEqual([409, message])
    const preview = await t.request('GET', `/api/businesses/${address}/merge?into=${into.slug}`, moderator)
    expect(preview.json().obstacle).toBe(message)
  }
  expect((await read(elsewhere.slug)).id).toBe(elsewhere.id)
  expect((await merge(elsewhere)).json().id).toBe(elsewhere.id)
})

it('ends blocks between the remaining business and people of either team, and keeps other blocks', async () => {
  const [member, customer] = [await t.signUp(), await t.signUp()]
  await joinBusiness(t.db, member.user.id, from.id)
  await t.db.insertInto('business_person_blocks').values({ business_id: into.id, person_id: member.user.id }).execute()
  expect((await t.request('PUT', `/api/businesses/${into.id}/block`, member)).statusCode).toBe(200)
  expect((await t.request('PUT', `/api/businesses/${from.id}/block`, customer)).statusCode).toBe(200)
  expect((await merge(into)).statusCode).toBe(200)
  const isBlocked = async (as: TestPerson) => (await t.request('GET', `/api/businesses/${into.id}/status`, as)).json().isBlocked
  expect([await isBlocked(member), await isBlocked(customer)]).toEqual([false, true])
  expect(await t.db.selectFrom('business_person_blocks').select('person_id').where('business_id', '=', into.id).execute()).toEqual([])
})

it('keeps the menu settings and sharing of the remaining business if neither has an item', async () => {
  const settings = () => t.db.selectFrom('menu_settings').select(['currency', 'tax_rate']).where('business_id', '=', into.id).execute()
  const sharing = () => t.db.selectFrom('menu_sharing').select('feed_token').where('business_id', '=', into.id).execute()
  await t.db.insertInto('menu_settings').values({ business_id: into.id, currency: 'CAD' }).execute()
  await t.db.insertInto('menu_sharing').values({ business_id: into.id, is_embed_on: true, feed_token: 'the-token' }).execute()
  const [before, shared] = [await settings(), await sharing()]
  expect((await merge(into)).statusCode).toBe(200)
  expect(await settings()).toEqual(before)
  expect(await sharing()).toEqual(shared)
})

it('ends RSVPs of people whom the remaining business’s owner has blocked, except those of its team', async () => {
  const [owner, helper, guest] = [await t.signUp(), await t.signUp(), await t.signUp()]
  await joinBusiness(t.db, owner.user.id, into.id)
  await joinBusiness(t.db, helper.user.id, from.id, 'staff')
  const event_id = await addEvent(t.db, from.id, { going_count: 2 })
  for (const { user } of [helper, guest]) {
    await blockPerson(t.db, owner.user.id, user.id)
    await t.db.insertInto('event_rsvps').values({ event_id, user_id: user.id, created_at: t.clock.now() }).execute()
  }
  expect((await merge(into)).statusCode).toBe(200)
  await t.runJobs()
  expect(await t.db.selectFrom('event_rsvps').select('user_id').execute()).toEqual([{ user_id: helper.user.id }])
  expect(await t.db.selectFrom('events').select('going_count').execute()).toEqual([{ going_count: 1 }])
})

it('refuses the later of two concurrent merges into different businesses', async () => {
  const answers = await Promise.all([merge(into), merge(elsewhere)])
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
  const [done, refused] = answers.toSorted((a, b) => a.statusCode - b.statusCode)
  expect(refused?.json().message).toContain(`already merged into ${done?.json().name}`)
  expect((await read(from.slug)).id).toBe(done?.json().id)
})

it('explains what happened if the other business is hidden or merged while the merge waits', async () => {
  const hidden = await mergeAfter((tx) => tx.updateTable('businesses').set({ moderation: 'hidden' }).where('id', '=', into.id).execute())
  expect(hidden.statusCode).toBe(404)
  await t.db.updateTable('businesses').set({ moderation: null }).where('id', '=', into.id).execute()
  const merged = await mergeAfter(async (tx) => {
    await tx.deleteFrom('businesses').where('id', '=', into.id).execute()
    const redirect = { from_id: into.id, slug: into.slug, business_id: elsewhere.id, created_at: t.clock.now() }
    await tx.insertInto('business_redirects').values(redirect).execute()
  })
  expect([merged.statusCode, merged.json().message]).toEqual([409, expect.stringContaining('One of the two was hidden or merged')])
  expect((await read(from.slug)).id).toBe(from.id)
})

it('succeeds despite a claim whose code has expired, and closes that claim', async () => {
  const claimant = await t.signUp()
  const open = { method: 'email', email: `${claimant.user.id}@example.com`, businessId: from.id }
  const claim = (await t.request('POST', '/api/claims', claimant, open)).json() as Claim
  const refused = await merge(into)
  expect([refused.statusCode, refused.json().message]).toEqual([
    409,
    'Someone is claiming one of these businesses. Decide the claim first.',
  ])
  t.clock.advance({ days: 1 })
  const merged = await merge(into)
  expect(merged.statusCode, merged.body).toBe(200)
  expect((await t.request('GET', `/api/businesses/${into.slug}/claim`, claimant)).json().claim).toMatchObject({
    id: claim.id,
    status: 'closed',
    closedBecause: 'expired',
  })
})

it('keeps a report that a third listing duplicates the merged one, and makes it about the remaining one', async () => {
  const [one, two] = [await t.signUp(), await t.signUp()]
  t.clock.advance({ days: 2 })
  const suggest = async (of: { id: string }) =>
    (await t.request('POST', `/api/businesses/${elsewhere.slug}/corrections`, one, { kind: 'duplicate', of: of.id })).json()
  const list = async () => (await t.request('GET', `/api/businesses/${elsewhere.id}/corrections`, two)).json()
  await suggest(from)
  expect((await merge(into)).statusCode).toBe(200)
  expect(await list()).toMatchObject([{ value: { of: into.id }, duplicateOf: { id: into.id }, state: 'open' }])
  const [reported] = await list()
  expect((await suggest(into)).id).toBe(reported.id)
  // The same report about both of the merged businesses becomes one.
  const next = await addListing(t.db)
  await suggest(next)
  expect((await merge(next, into.slug)).statusCode).toBe(200)
  expect(await list()).toMatchObject([{ value: { of: next.id }, state: 'open' }])
})

describe('a claim by code', () => {
  const verify = async (owner: TestPerson, { suggestion }: LicenseState) =>
    (await t.request('POST', `/api/businesses/${into.id}/verification`, owner, suggestion as object)).json() as Verification
  const licenseOf = async (business: { id: string }, owner: TestPerson) =>
    (await t.request('GET', `/api/businesses/${business.id}/verification`, owner)).json() as LicenseState

  async function claim(business: { id: string }, owner: TestPerson, proof: 'code' | 'review') {
    const now = t.clock.now()
    await t.db.updateTable('businesses').set({ claimed_at: now }).where('id', '=', business.id).execute()
    await joinBusiness(t.db, owner.user.id, business.id)
    const row = { id: newId(), business_id: business.id, user_id: owner.user.id, method: 'email' as const, email: `${newId()}@example.com` }
    await t.db
      .insertInto('claims')
      .values({ ...row, status: 'approved', proof, code_expires_at: now, created_at: now, decided_at: now })
      .execute()
    t.clock.advance({ seconds: 1 })
  }

  it.each(['merged', 'remaining'] as const)('of the %s listing proves nothing about the other one’s license', async (coded) => {
    const owner = await t.signUp()
    await claim(into, owner, coded === 'remaining' ? 'code' : 'review')
    await claim(from, owner, coded === 'merged' ? 'code' : 'review')
    const other = await licenseOf(coded === 'merged' ? into : from, owner)
    expect((await t.request('POST', `/api/businesses/${from.slug}/merge`, owner, { into: into.slug })).statusCode).toBe(200)
    expect(await verify(owner, other)).toMatchObject({ status: 'pending', differences: ['proof'] })
  })

  it('still proves its listing’s license after the claimant merges a business of their own into it', async () => {
    const owner = await t.signUp()
    await claim(into, owner, 'code')
    const own = await addBusiness(t.db, { license_standing: 'none' })
    await joinBusiness(t.db, owner.user.id, own.id)
    expect((await t.request('POST', `/api/businesses/${own.slug}/merge`, owner, { into: into.slug })).statusCode).toBe(200)
    expect(await verify(owner, await licenseOf(into, owner))).toMatchObject({ status: 'verified', basis: 'code' })
  })
})
