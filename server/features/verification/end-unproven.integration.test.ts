import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Claim } from '#contracts/claims.ts'
import { findAuditBreak } from '#server/features/audit/index.ts'
import { licensesOf, type Shop, statementOf, type TestLicense } from '#tests/support/licenses.ts'
import { addListing } from '#tests/support/listings.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { endUnprovenVerifications } from './index.ts'

let test: TestApp
let on: Awaited<ReturnType<typeof licensesOf>>

beforeAll(async () => {
  test = await startTestApp()
  on = await licensesOf(test)
})
afterAll(() => test?.close())

/** Runs a write without the constraint that verification requires proof, as in older versions. */
async function asBefore<T>(write: () => Promise<T>): Promise<T> {
  const name = 'verified_licenses_are_proven'
  const { rows } = await sql<{ definition: string }>`
    select pg_get_constraintdef(oid) as definition from pg_constraint where conname = ${name}`.execute(test.db)
  await sql`alter table license_verifications drop constraint ${sql.ref(name)}`.execute(test.db)
  try {
    return await write()
  } finally {
    const definition = sql.raw(rows[0]?.definition ?? '')
    await sql`alter table license_verifications add constraint ${sql.ref(name)} ${definition}`.execute(test.db)
  }
}

/** A business that was verified only by a match with the register. */
async function matchedBefore(shop: Shop, license: Pick<TestLicense, 'number' | 'name'>): Promise<string> {
  const request = (await on.ask(shop, statementOf(license))).json()
  const { license_id } = await asBefore(() =>
    test.db
      .updateTable('license_verifications')
      .set({ status: 'verified', basis: 'register', differences: [], verified_at: test.clock.now(), checked_at: test.clock.now() })
      .where('id', '=', request.id)
      .returning('license_id')
      .executeTakeFirstOrThrow(),
  )
  await test.db
    .updateTable('licenses')
    .set({ business_id: shop.id })
    .where('id', '=', license_id)
    .where('business_id', 'is', null)
    .execute()
  await test.db
    .updateTable('businesses')
    .set({ license_verified_through: '9999-12-31', license_standing: 'listed' })
    .where('id', '=', shop.id)
    .execute()
  test.ctx.cache.invalidate('businesses')
  return request.id
}

async function claimedListing(method: 'email' | 'review', number: string): Promise<Shop> {
  const listing = await addListing(test.db, { number, name: `Claimed by ${method}` })
  const owner = await test.signUp()
  const email = `${listing.slug}@example.com`
  const body = method === 'email' ? { method, email } : { method, statement: 'Mine' }
  const claim = (await test.request('POST', '/api/claims', owner, { businessId: listing.id, ...body })).json() as Claim
  if (method === 'email') await on.enter(claim, owner, await on.codeFor(email))
  else await test.request('POST', `/api/claims/${claim.id}/approve`, await on.withRole('moderator'))
  return { ...(await test.request('GET', `/api/businesses/${listing.id}`, null)).json(), owner }
}

const noticesOf = async (person: TestPerson) =>
  ((await test.request('GET', '/api/notifications', person)).json() as { type: string; title: string; actionUrl: string }[]).filter(
    ({ type }) => type === 'license_unproven',
  )

it('ends verifications based only on a match, notifies the owner once, and keeps one proven by a code', async () => {
  const matched = await on.addShop()
  const matchedId = await matchedBefore(matched, await on.addLicense())
  const byReview = await claimedListing('review', '402R-77001')
  await matchedBefore(byReview, { number: '402R-77001', name: 'Claimed by review' })
  const proven = await on.addShop()
  await on.verify(proven, await on.addLicense())
  expect(await on.publicOf(matched)).toMatchObject({ isLicenseVerified: true, licenseStanding: 'listed' })

  const auditOf = (shop: Shop) =>
    test.db
      .selectFrom('audit_log')
      .select(['action', 'actor_id', 'subject_id'])
      .where('business_id', '=', shop.id)
      .where('actor_id', 'is', null)
      .orderBy('sequence')
      .execute()
  for (let start = 0; start < 2; start++) {
    await endUnprovenVerifications(test.ctx)
    await test.runJobs()
    expect(await auditOf(matched)).toEqual([{ action: 'license.unproven', actor_id: null, subject_id: matchedId }])
    expect(await auditOf(byReview)).toMatchObject([{ action: 'license.unproven' }])
    expect(await auditOf(proven)).toEqual([])
    expect(on.mailsTo(matched.owner).map(({ subject }) => subject)).toEqual(['Sungrove: your license needs one more step'])
  }
  expect(on.mailsTo(matched.owner)[0]?.text).toContain('Your license needs one more step: prove you control it.')
  expect(await noticesOf(matched.owner)).toEqual([
    expect.objectContaining({
      title: `The license for ${matched.name} needs one more step: prove you control it`,
      actionUrl: `/business-dashboard/license?business=${matched.slug}`,
    }),
  ])
  // A business created by its owner loses the linked license; a listing keeps its own.
  expect(await on.publicOf(matched)).toMatchObject({
    isLicenseVerified: false,
    licenseStanding: 'none',
    licenses: [],
    verification: { status: 'none' },
  })
  expect(await on.publicOf(byReview)).toMatchObject({ isLicenseVerified: false, licenses: [{ licenseNumber: '402R-77001' }] })
  expect((await on.stateOf(matched)).history[0]).toMatchObject({
    status: 'unproven',
    reason: 'Your license needs one more step: prove you control it.',
  })
  expect((await on.publicOf(proven)).isLicenseVerified).toBe(true)
  expect(await findAuditBreak(test.db)).toBeNull()
  await on.verify(matched, await on.addLicense())
  expect(await noticesOf(matched.owner)).toEqual([])
})

it('keeps the badge of a business whose listing was claimed with a code', async () => {
  const shop = await claimedListing('email', '402R-77002')
  const before = (await on.ask(shop, statementOf({ number: '402R-77002', name: 'Claimed by email' }))).json()
  await asBefore(() => test.db.updateTable('license_verifications').set({ basis: 'register' }).where('id', '=', before.id).execute())
  await endUnprovenVerifications(test.ctx)
  expect((await on.publicOf(shop)).verification).toMatchObject({ status: 'verified', basis: 'code' })
  const last = await test.db
    .selectFrom('audit_log')
    .select(['action', 'subject_id'])
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  expect(last).toEqual({ action: 'license.proven', subject_id: before.id })
})

it('keeps the badge if two moderators reviewed the document before a match renewed it', async () => {
  const [shop, license] = [await on.addShop(), await on.addLicense()]
  const documentId = await on.upload(shop.owner)
  const request = (await on.ask(shop, statementOf(license, { documentId }))).json()
  for (let i = 0; i < 2; i++) await on.decide(request, await on.withRole('moderator'))
  const renewed = (await on.ask(shop, statementOf(license, { expiresOn: on.inDays(90) }))).json()
  expect(renewed).toMatchObject({ status: 'verified', basis: 'document' })
  await asBefore(() => test.db.updateTable('license_verifications').set({ basis: 'register' }).where('id', '=', renewed.id).execute())
  await endUnprovenVerifications(test.ctx)
  expect((await on.publicOf(shop)).verification).toMatchObject({ status: 'verified', basis: 'document' })
})

it('lets a business verify the license again with a code', async () => {
  const [shop, license] = [await on.addShop(), await on.addLicense()]
  await matchedBefore(shop, license)
  await endUnprovenVerifications(test.ctx)
  expect(await on.verify(shop, license)).toMatchObject({ status: 'verified', basis: 'code' })
})

it('rejects a verification based only on a match, by a database constraint', async () => {
  const shop = await on.addShop()
  const { id } = (await on.ask(shop, statementOf(await on.addLicense()))).json()
  const verified = { status: 'verified', basis: 'register', verified_at: test.clock.now(), checked_at: test.clock.now() } as const
  const updated = test.db.updateTable('license_verifications').set(verified).where('id', '=', id).execute()
  await expect(updated).rejects.toThrow('verified_licenses_are_proven')
})
