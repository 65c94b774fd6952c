import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Claim, ClaimOptions, WaitingClaim } from '#contracts/claims.ts'
import type { LicenseState } from '#contracts/verification.ts'
import { findAuditBreak } from '#server/features/audit/index.ts'
import { licensed } from '#tests/support/businesses.ts'
import { documentWithSecrets } from '#tests/support/documents.ts'
import { addListing } from '#tests/support/listings.ts'
import { latestMailTo } from '#tests/support/mailbox.ts'
import { giveRole } from '#tests/support/roles.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { uploadsOf } from '#tests/support/uploads.ts'

let t: TestApp
let claimant: TestPerson
let thief: TestPerson
let moderator: TestPerson
let listing: { id: string; slug: string }

beforeAll(async () => {
  t = await startTestApp()
  moderator = await t.signUp()
  await giveRole(t, moderator, 'moderator')
})
afterAll(async () => {
  expect(await findAuditBreak(t.db)).toBeNull()
  await t.close()
})

/** A listing owned by a person who took over the mailbox of its website. */
beforeEach(async () => {
  claimant = await t.signUp()
  thief = await t.signUp()
  listing = await addListing(t.db)
  const email = `${thief.user.id}@example.com`
  const stolen = (await open(thief, { method: 'email', email })).json() as Claim
  const code = /\b\d{6}\b/.exec((await latestMailTo(t, email)).text)?.[0]
  expect((await t.request('POST', `/api/claims/${stolen.id}/code`, thief, { code })).statusCode).toBe(200)
})

const open = (as: TestPerson, body: object) => t.request('POST', '/api/claims', as, { businessId: listing.id, ...body })
const review = (as: TestPerson, statement = 'I run it.') => open(as, { method: 'review', statement })
const waiting = async (as = moderator) => (await t.request('GET', '/api/claims/waiting?limit=100', as)).json() as WaitingClaim[]
const options = async () => (await t.request('GET', `/api/businesses/${listing.slug}/claim`, claimant)).json() as ClaimOptions
const ownersNow = async () =>
  (await t.db.selectFrom('business_members').select('user_id').where('business_id', '=', listing.id).execute()).map((row) => row.user_id)

it('settles a dispute between a claimant and the current owner', async () => {
  const helper = await t.signUp()
  await t.db.insertInto('business_members').values({ business_id: listing.id, user_id: helper.user.id, role: 'manager' }).execute()

  expect(await options()).toMatchObject({ isOwned: true, emailDomains: [], phone: null })
  expect((await open(claimant, { method: 'email', email: `${claimant.user.id}@example.com` })).statusCode).toBe(409)
  expect((await open(claimant, { method: 'phone' })).statusCode).toBe(409)
  expect((await review(helper)).statusCode).toBe(409)
  const dispute = (await review(claimant, 'I never gave this away.')).json() as Claim
  expect(dispute.isDispute).toBe(true)
  const day = 86_400_000
  const mutedUntil = (days: number) =>
    t.db
      .updateTable('users')
      .set({ muted_until: new Date(t.clock.now().getTime() + days * day) })
      .execute()
  await mutedUntil(1)
  expect((await waiting()).find(({ id }) => id === dispute.id)).toMatchObject({
    isEmailConfirmed: expect.any(Boolean),
    accountStatus: 'muted',
  })
  await mutedUntil(-1)
  expect((await waiting()).find(({ id }) => id === dispute.id)).toMatchObject({
    ...{ isDispute: true, owner: { id: thief.user.id }, accountStatus: null },
  })
  await giveRole(t, thief, 'moderator')
  expect((await t.request('POST', `/api/claims/${dispute.id}/reject`, thief, { reason: 'Mine' })).statusCode).toBe(403)
  expect((await waiting(thief)).map(({ id }) => id)).not.toContain(dispute.id)

  expect((await t.request('POST', `/api/claims/${dispute.id}/approve`, moderator)).statusCode).toBe(204)
  expect(await ownersNow()).toEqual([claimant.user.id])
  for (const person of [thief, helper]) {
    expect((await latestMailTo(t, person.email)).subject).toBe('Sungrove: your business was transferred to someone else')
  }
})

it('removes the former team when a dispute is granted, even if the owner’s account was deleted', async () => {
  const helper = await t.signUp()
  await t.db.insertInto('business_members').values({ business_id: listing.id, user_id: helper.user.id, role: 'manager' }).execute()
  const dispute = (await review(claimant, 'I never gave this away.')).json() as Claim
  await t.db.deleteFrom('business_members').where('user_id', '=', thief.user.id).execute()
  expect((await t.request('POST', `/api/claims/${dispute.id}/approve`, moderator)).statusCode).toBe(204)
  expect(await ownersNow()).toEqual([claimant.user.id])
})

it('hides the old team’s documents from the new owner and closes the old team’s requests', async () => {
  const uploads = uploadsOf(t)
  const documentId = (await uploads.upload(thief, await documentWithSecrets(), 'application/pdf')).id
  const stated = { licenseNumber: 'FAKE-1', state: 'CO', licenseName: 'Fake', businessType: 'dispensary', documentId }
  const asked = await t.request('POST', `/api/businesses/${listing.id}/verification`, thief, stated)
  expect(asked.statusCode, asked.body).toBe(201)
  const dispute = (await review(claimant, 'I never gave this away.')).json() as Claim
  expect((await t.request('POST', `/api/claims/${dispute.id}/approve`, moderator)).statusCode).toBe(204)
  const state = (await t.request('GET', `/api/businesses/${listing.id}/verification`, claimant)).json() as LicenseState
  expect(state).toMatchObject({ pending: null, history: [{ status: 'withdrawn', document: null }] })
  expect((await t.app.inject({ url: `/media/${documentId}/document.pdf`, headers: { cookie: claimant.cookie } })).statusCode).toBe(404)
  expect((await t.request('POST', `/api/verifications/${asked.json().id}/approve`, moderator)).statusCode).toBe(409)
})

it('ends the blocks between the business and its new owner, who can work there at once', async () => {
  const { id } = listing
  await t.db.updateTable('businesses').set(licensed).where('id', '=', id).execute()
  await t.db.updateTable('users').set({ has_completed_onboarding: true }).execute()
  expect((await t.request('PUT', `/api/businesses/${id}/blocked-people/${claimant.user.id}`, thief)).statusCode).toBe(200)
  expect((await t.request('PUT', `/api/businesses/${id}/block`, claimant)).statusCode).toBe(200)
  const dispute = (await review(claimant, 'I never gave this away.')).json() as Claim
  expect((await t.request('POST', `/api/claims/${dispute.id}/approve`, moderator)).statusCode).toBe(204)
  await t.runJobs()
  const words = { title: 'New owner', content: 'The rightful owner is back' }
  const post = await t.request('POST', '/api/posts', claimant, { ...words, businessId: id, postType: 'update' })
  expect(post.statusCode, post.body).toBe(201)
  const comment = await t.request('POST', `/api/posts/${post.json().id}/comments`, claimant, { content: 'Welcome', businessId: id })
  expect(comment.statusCode, comment.body).toBe(201)
  const day = 86_400_000
  const local = (days: number) => new Date(t.clock.now().getTime() + days * day).toISOString().slice(0, 16)
  const times = { startsLocal: local(3), endsLocal: local(4), timeZone: 'America/Denver' }
  const event = await t.request('POST', `/api/businesses/${id}/events`, claimant, { ...words, description: '', ...times, locationId: id })
  expect(event.statusCode, event.body).toBe(201)
  expect((await t.request('PUT', `/api/businesses/${id}/block`, claimant)).json()).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('on this business’s team'),
  })
})
