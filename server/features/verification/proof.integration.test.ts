import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BusinessSummary } from '#contracts/businesses.ts'
import type { Claim, LicenseProof, WaitingClaim } from '#contracts/claims.ts'
import type { WaitingVerification } from '#contracts/verification.ts'
import { findAuditBreak } from '#server/features/audit/index.ts'
import { licensesOf, nextNumber, type Shop, statementOf, type TestLicense } from '#tests/support/licenses.ts'
import { addListing } from '#tests/support/listings.ts'
import { lockAuditLog, untilWaiting } from '#tests/support/locks.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let on: Awaited<ReturnType<typeof licensesOf>>
let moderator: TestPerson

beforeAll(async () => {
  test = await startTestApp()
  on = await licensesOf(test)
  moderator = await on.withRole('moderator')
})
afterAll(async () => {
  expect(await findAuditBreak(test.db)).toBeNull()
  await test.close()
})

const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
const proofOf = async (request: { id: string }, as: TestPerson) =>
  (await test.request('GET', `/api/verifications/${request.id}/proof`, as)).json() as LicenseProof
const waitingLicenses = async () =>
  ((await test.request('GET', '/api/verifications/waiting?limit=100', moderator)).json() as WaitingVerification[]).map(
    ({ verification }) => verification.id,
  )
const waitingCalls = async () => (await test.request('GET', '/api/claims/waiting?limit=100', moderator)).json() as WaitingClaim[]

/** A request that matches the register but isn't proven, with the emailed code. */
async function requested(shop: Shop, license: TestLicense) {
  const request = (await on.ask(shop, statementOf(license))).json()
  const email = `office@${license.domain}`
  const claim = (await on.prove(request, shop.owner, { method: 'email', email })).json() as Claim
  return { request, email, claim, code: await on.codeFor(email) }
}

describe('a stranger’s license from the public register', () => {
  it('does not verify a new account’s business, whatever contact details the register has', async () => {
    for (const contact of [{}, { website: null }, { website: null, phone: '(303) 555-0100' }, { city: 'Denver' }]) {
      const license = await on.addLicense(contact)
      const shop = await on.addShop()
      const answer = await on.ask(shop, statementOf(license))
      expect(answer.json(), answer.body).toMatchObject({ status: 'pending', match: 'full', differences: ['proof'], basis: null })
      expect(await on.publicOf(shop)).toMatchObject({
        isLicenseVerified: false,
        hasVerifiedBadge: false,
        licenseStanding: 'none',
        licenses: [],
        verification: { status: 'none' },
      })
      const found = (await test.request('GET', '/api/businesses?verified=true&limit=100', null)).json() as BusinessSummary[]
      expect(found.map(({ id }) => id)).not.toContain(shop.id)
      const promotion = { businessId: shop.id, postType: 'promotion', title: 'Two for one', content: 'For adults 21 and over.' }
      expect((await test.request('POST', '/api/posts', shop.owner, promotion)).statusCode).toBe(403)
    }
  })

  it('can be submitted for verification at most five times a day by one account', async () => {
    const owner = await test.signUp()
    const answers = []
    for (let i = 0; i < 6; i++) {
      const shop = await on.addShop(owner)
      const documentId = i === 0 ? null : await on.upload(owner)
      answers.push((await on.ask(shop, statementOf(await on.addLicense(), { documentId }))).statusCode)
    }
    expect(answers).toEqual([201, 201, 201, 201, 201, 429])
  })

  it('allows one pending proof per account, even concurrently', async () => {
    const owner = await test.signUp()
    const shops = [await on.addShop(owner), await on.addShop(owner), await on.addShop(owner)]
    const licenses = [await on.addLicense(), await on.addLicense(), await on.addLicense()] as const
    const answers = await Promise.all(shops.map((shop, i) => on.ask(shop, statementOf(licenses[i] as TestLicense))))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409, 409])
    const open = shops[answers.findIndex(({ statusCode }) => statusCode === 201)] as Shop
    const { pending } = await on.stateOf(open)
    expect((await test.request('DELETE', `/api/verifications/${pending?.id}`, owner)).statusCode).toBe(204)
    const next = shops.find((shop) => shop !== open) as Shop
    expect((await on.ask(next, statementOf(await on.addLicense()))).statusCode).toBe(201)
  })

  it('allows another proof once the person has left the team of the business with the pending one', async () => {
    const [left, person] = [await on.addShop(), await test.signUp()]
    await on.addMember(left, person, 'manager')
    expect((await on.ask(left, statementOf(await on.addLicense()), person)).statusCode).toBe(201)
    const [own, license] = [await on.addShop(person), await on.addLicense()]
    expect((await on.ask(own, statementOf(license))).statusCode).toBe(409)
    await test.db.deleteFrom('business_members').where('business_id', '=', left.id).where('user_id', '=', person.user.id).execute()
    expect((await on.ask(own, statementOf(license))).statusCode).toBe(201)
  })

  it('requires a confirmed email address if confirmation is required', async () => {
    const shop = await on.addShop()
    const body = statementOf(await on.addLicense())
    const { config } = test.ctx
    test.ctx.config = { ...config, emailVerification: 'required' }
    try {
      expect((await on.ask(shop, body)).json()).toMatchObject({ code: 'email_unverified' })
      await test.db.updateTable('users').set({ email_verified: true }).where('id', '=', shop.owner.user.id).execute()
      expect((await on.ask(shop, body)).statusCode).toBe(201)
    } finally {
      test.ctx.config = config
    }
  })

  it('can’t be proven by a code if it has a listing, in which case the response links to its claim', async () => {
    const listing = await addListing(test.db, { name: 'Larch Lantern', number: '402R-LARCH' })
    const shop = await on.addShop()
    const answer = await on.ask(shop, statementOf({ number: '402R-LARCH', name: 'Larch Lantern' }))
    expect([answer.statusCode, answer.json().links]).toEqual([
      400,
      [{ title: 'Claim Larch Lantern', path: `/business/register?claim=${listing.slug}` }],
    ])
    const documentId = await on.upload(shop.owner)
    const dispute = (await on.ask(shop, statementOf({ number: '402R-LARCH', name: 'Larch Lantern' }, { documentId }))).json()
    expect(dispute).toMatchObject({ status: 'pending', differences: ['listing'] })
    // A code would go to the listing's contact, which only a claim of the listing may use.
    expect(await proofOf(dispute, shop.owner)).toMatchObject({ emailDomains: [], phone: null })
    expect((await on.prove(dispute, shop.owner, { method: 'phone' })).statusCode).toBe(409)
  })
})

describe('a claimed listing', () => {
  async function claimed(method: 'email' | 'phone' | 'review', decide: 'code' | TestPerson): Promise<Shop> {
    const listing = await addListing(test.db)
    const owner = await test.signUp()
    const email = `owner-${listing.slug}@example.com`
    const body = { businessId: listing.id, method, ...(method === 'email' && { email }), ...(method === 'review' && { statement: 'Mine' }) }
    const claim = (await test.request('POST', '/api/claims', owner, body)).json() as Claim
    if (decide !== 'code') await test.request('POST', `/api/claims/${claim.id}/approve`, decide)
    else {
      const code = method === 'email' ? await on.codeFor(email) : (await waitingCalls()).find(({ id }) => id === claim.id)?.code
      expect((await on.enter(claim, owner, code as string)).statusCode).toBe(200)
    }
    return { ...(await test.request('GET', `/api/businesses/${listing.id}`, null)).json(), owner }
  }
  const verifyOwn = async (shop: Shop) => (await on.ask(shop, (await on.stateOf(shop)).suggestion)).json()

  it.each(['email', 'phone'] as const)('has its license verified immediately after a code by %s', async (method) => {
    const shop = await claimed(method, 'code')
    expect(await verifyOwn(shop)).toMatchObject({ status: 'verified', basis: 'code', differences: [] })
    expect(await on.publicOf(shop)).toMatchObject({ isLicenseVerified: true, verification: { basis: 'code' } })
  })

  it.each(['review', 'phone'] as const)('has no verified license after a moderator’s decision on a claim by %s', async (method) => {
    const shop = await claimed(method, moderator)
    const request = await verifyOwn(shop)
    expect(request).toMatchObject({ status: 'pending', differences: ['proof'] })
    expect(await proofOf(request, shop.owner)).toMatchObject({ emailDomains: ['example.com'], phone: '(303) 555-0100' })
  })

  it('has no verified license after a decision on a claim by phone, even if the moderator’s account is deleted', async () => {
    const former = await on.withRole('moderator')
    const shop = await claimed('phone', former)
    await test.db.deleteFrom('users').where('id', '=', former.user.id).execute()
    expect(await verifyOwn(shop)).toMatchObject({ status: 'pending', differences: ['proof'] })
  })

  it('has no verified license under an owner who won a dispute, even if the previous one entered a code', async () => {
    const shop = await claimed('email', 'code')
    const next = await test.signUp()
    const dispute = { businessId: shop.id, method: 'review', statement: 'Mine' }
    const claim = (await test.request('POST', '/api/claims', next, dispute)).json() as Claim
    test.clock.advance({ seconds: 1 })
    expect((await test.request('POST', `/api/claims/${claim.id}/approve`, moderator)).statusCode).toBe(204)
    expect(await verifyOwn({ ...shop, owner: next })).toMatchObject({ status: 'pending', differences: ['proof'] })
  })
})

describe('a code by email', () => {
  it('goes only to an address at the domain in the register and verifies the license', async () => {
    const [shop, license] = [await on.addShop(), await on.addLicense()]
    const request = (await on.ask(shop, statementOf(license))).json()
    expect(await proofOf(request, shop.owner)).toEqual({ emailDomains: [license.domain], phone: null, claim: null })
    for (const email of ['me@gmail.com', `me@${license.domain}.evil.org`, shop.owner.email]) {
      const refused = await on.prove(request, shop.owner, { method: 'email', email })
      expect([refused.statusCode, refused.json().fields]).toEqual([400, { email: `Enter an address at ${license.domain}` }])
    }
    expect((await on.prove(request, shop.owner, { method: 'phone' })).statusCode).toBe(409)
    const email = `office@${license.domain}`
    const claim = (await on.prove(request, shop.owner, { method: 'email', email })).json() as Claim
    expect(claim).toMatchObject({ verificationId: request.id, businessId: shop.id, status: 'open', email, attemptsLeft: 5 })
    expect((await on.prove(request, shop.owner, { method: 'email', email })).json().id).toBe(claim.id)
    const code = await on.codeFor(email)
    expect((await on.enter(claim, shop.owner, wrong(code))).json().fields).toEqual({ code: 'This isn’t the code. 4 tries are left.' })
    expect((await on.publicOf(shop)).isLicenseVerified).toBe(false)
    expect((await on.enter(claim, shop.owner, code)).json()).toMatchObject({ status: 'approved' })
    expect((await on.enter(claim, shop.owner, code)).json()).toMatchObject({ status: 'approved' })
    expect(await on.publicOf(shop)).toMatchObject({
      isLicenseVerified: true,
      licenses: [{ id: license.id }],
      verification: { status: 'verified', basis: 'code' },
    })
    const log = await test.db.selectFrom('audit_log').select('action').where('business_id', '=', shop.id).orderBy('sequence').execute()
    expect(log.map(({ action }) => action)).toEqual(['license.requested', 'claim.opened', 'claim.approved', 'license.verified'])
  })

  it('works for 15 minutes and only for its request', async () => {
    const [shop, other] = [await on.addShop(), await on.addShop()]
    const first = await requested(shop, await on.addLicense())
    const second = await requested(other, await on.addLicense())
    expect((await on.enter(second.claim, other.owner, first.code)).statusCode).toBe(400)
    const before = test.clock.now()
    try {
      test.clock.advance({ minutes: 15, seconds: 1 })
      expect((await on.enter(first.claim, shop.owner, first.code)).statusCode).toBe(409)
      expect((await test.request('POST', `/api/claims/${first.claim.id}/resend`, shop.owner)).statusCode).toBe(200)
      expect((await on.enter(first.claim, shop.owner, await on.codeFor(first.email))).statusCode).toBe(200)
    } finally {
      test.clock.set(before)
    }
  })

  it('stops working after five wrong guesses, even if 20 are concurrent', async () => {
    const shop = await on.addShop()
    const { claim, code } = await requested(shop, await on.addLicense())
    const guesses = Array.from({ length: 20 }, (_, i) => String((Number(code) + 1 + i) % 1_000_000).padStart(6, '0'))
    const answers = await Promise.all(guesses.map((guess) => on.enter(claim, shop.owner, guess)))
    expect(answers.filter(({ statusCode }) => statusCode === 400)).toHaveLength(4)
    expect((await on.enter(claim, shop.owner, code)).json()).toMatchObject({
      code: 'conflict',
      message: 'The code was wrong five times. Request a new one, or add the license as a PDF.',
    })
    expect((await on.publicOf(shop)).isLicenseVerified).toBe(false)
  })

  it('is limited to five a day per account and ten per license', async () => {
    const license = await on.addLicense()
    const ask = async () => {
      const shop = await on.addShop()
      const request = (await on.ask(shop, statementOf(license))).json()
      const statuses: number[] = []
      for (let i = 0; i < 6; i++) {
        statuses.push((await on.prove(request, shop.owner, { method: 'email', email: `${i}-${shop.slug}@${license.domain}` })).statusCode)
      }
      return statuses
    }
    expect(await ask()).toEqual([201, 201, 201, 201, 201, 429])
    expect(await ask()).toEqual([201, 201, 201, 201, 201, 429])
    expect(await ask()).toEqual(Array(6).fill(429))
  })

  it('is void once the request is withdrawn, the register changes, or the person leaves the team', async () => {
    const withdrawn = await on.addShop()
    const first = await requested(withdrawn, await on.addLicense())
    await test.request('DELETE', `/api/verifications/${first.request.id}`, withdrawn.owner)
    expect((await test.request('POST', `/api/claims/${first.claim.id}/resend`, withdrawn.owner)).statusCode).toBe(409)
    expect((await on.enter(first.claim, withdrawn.owner, first.code)).statusCode).toBe(409)

    const changed = await on.addShop()
    const license = await on.addLicense()
    const second = await requested(changed, license)
    await test.db.updateTable('licenses').set({ standing: 'inactive', status: 'Revoked' }).where('id', '=', license.id).execute()
    expect((await on.enter(second.claim, changed.owner, second.code)).statusCode).toBe(409)

    const left = await on.addShop()
    const third = await requested(left, await on.addLicense())
    await test.db.deleteFrom('business_members').where('business_id', '=', left.id).execute()
    expect((await on.enter(third.claim, left.owner, third.code)).statusCode).toBe(403)
    for (const shop of [withdrawn, changed, left]) expect((await on.publicOf(shop)).isLicenseVerified).toBe(false)
  })

  it('can be requested and entered only by team members who manage the license', async () => {
    const shop = await on.addShop()
    const { request, claim, code } = await requested(shop, await on.addLicense())
    const staff = await test.signUp()
    await on.addMember(shop, staff, 'staff')
    for (const [person, status] of [
      [null, 401],
      [await test.signUp(), 404],
      [staff, 404],
      [moderator, 404],
    ] as const) {
      expect((await test.request('GET', `/api/verifications/${request.id}/proof`, person)).statusCode).toBe(status)
      expect((await test.request('POST', `/api/verifications/${request.id}/proof`, person, { method: 'phone' })).statusCode).toBe(status)
      expect((await test.request('POST', `/api/claims/${claim.id}/code`, person, { code })).statusCode).toBe(status)
    }
    expect((await on.enter(claim, shop.owner, code)).statusCode).toBe(200)
  })
})

describe('a code by phone', () => {
  it('is read out in a call to the register’s number, and the moderator can’t approve the claim without it', async () => {
    const license = await on.addLicense({ website: null, phone: '(303) 555-0177' })
    const shop = await on.addShop()
    const request = (await on.ask(shop, statementOf(license))).json()
    const claim = (await on.prove(request, shop.owner, { method: 'phone' })).json() as Claim
    const call = (await waitingCalls()).find(({ id }) => id === claim.id)
    expect(call).toMatchObject({
      phone: '(303) 555-0177',
      code: expect.stringMatching(/^\d{6}$/),
      proves: { licenseNumber: license.number, licenseName: license.name, state: 'CO' },
    })
    expect((await test.request('GET', '/api/admin/waiting', moderator)).json()).toMatchObject({ claims: (await waitingCalls()).length })
    expect((await test.request('POST', `/api/claims/${claim.id}/approve`, moderator)).statusCode).toBe(409)
    expect((await on.publicOf(shop)).isLicenseVerified).toBe(false)
    expect((await on.enter(claim, shop.owner, call?.code as string)).statusCode).toBe(200)
    expect((await on.publicOf(shop)).isLicenseVerified).toBe(true)
  })

  it('leaves the request open for another proof if no one answers the phone', async () => {
    const license = await on.addLicense({ website: null, phone: '(303) 555-0178' })
    const shop = await on.addShop()
    const request = (await on.ask(shop, statementOf(license))).json()
    const claim = (await on.prove(request, shop.owner, { method: 'phone' })).json() as Claim
    await test.request('POST', `/api/claims/${claim.id}/reject`, moderator, { reason: 'No one answers.' })
    await test.runJobs()
    expect(on.mailsTo(shop.owner).at(-1)?.text).toContain('“No one answers.”')
    expect((await on.stateOf(shop)).pending?.id).toBe(request.id)
    await test.request('DELETE', `/api/verifications/${request.id}`, shop.owner)
    expect((await waitingCalls()).map(({ id }) => id)).not.toContain(claim.id)
  })
})

describe('a document', () => {
  it('can be added to a pending request for moderators to see', async () => {
    const license = await on.addLicense({ website: null })
    const shop = await on.addShop()
    const request = (await on.ask(shop, statementOf(license))).json()
    expect(await waitingLicenses()).not.toContain(request.id)
    expect((await on.decide(request, moderator)).json().message).toBe('This request has no document to review.')
    const documentId = await on.upload(shop.owner)
    const documented = (await on.ask(shop, statementOf(license, { documentId }))).json()
    expect(documented).toMatchObject({ id: request.id, status: 'pending', document: { id: documentId } })
    expect((await on.ask(shop, statementOf(license, { documentId }))).json().id).toBe(request.id)
    expect(await waitingLicenses()).toContain(request.id)
    expect((await on.decide(request, moderator)).json()).toEqual({ approvals: 1, isVerified: false })
    expect((await on.decide(request, moderator)).json()).toEqual({ approvals: 1, isVerified: false })
    expect((await on.publicOf(shop)).isLicenseVerified).toBe(false)
    const second = await on.withRole('moderator')
    expect((await on.decide(request, second)).json()).toEqual({ approvals: 2, isVerified: true })
    expect((await on.publicOf(shop)).verification).toMatchObject({ status: 'verified', basis: 'document' })
  })

  it('can’t be approved by a moderator for their own business', async () => {
    const requester = await on.withRole('moderator')
    const shop = await on.addShop(requester)
    const documentId = await on.upload(requester)
    const request = (await on.ask(shop, statementOf(await on.addLicense(), { documentId }))).json()
    expect((await on.decide(request, requester)).statusCode).toBe(403)
    expect((await on.decide(request, moderator)).json()).toEqual({ approvals: 1, isVerified: false })
  })
})

describe('a renewal', () => {
  it('requires no new proof unless the license was revoked in the meantime', async () => {
    const shop = await on.addShop()
    const license = await on.addLicense()
    await on.verify(shop, license, { expiresOn: on.inDays(30) })
    const renewed = await on.ask(shop, statementOf(license, { expiresOn: on.inDays(400) }))
    expect(renewed.json()).toMatchObject({ status: 'verified', basis: 'code', differences: [] })
    await test.db.updateTable('licenses').set({ standing: 'inactive' }).where('id', '=', license.id).execute()
    await on.recheck()
    expect((await on.publicOf(shop)).verification.status).toBe('revoked')
    await test.db.updateTable('licenses').set({ standing: 'listed' }).where('id', '=', license.id).execute()
    expect((await on.ask(shop, statementOf(license, { expiresOn: on.inDays(401) }))).json()).toMatchObject({ status: 'pending' })
  })

  it('requires separate proof for another license', async () => {
    const shop = await on.addShop()
    await on.verify(shop, await on.addLicense())
    expect((await on.ask(shop, statementOf(await on.addLicense()))).json()).toMatchObject({ status: 'pending', differences: ['proof'] })
  })
})

it.each(['in the register', 'missing from it'])(
  'verifies only the later of two businesses that are approved concurrently for a license %s',
  async (where) => {
    const license = where === 'in the register' ? await on.addLicense() : { number: `UNKNOWN-${nextNumber()}`, name: 'Green Door' }
    const shops = [await on.addShop(), await on.addShop()] as const
    const requestOf = async (shop: Shop) => {
      const body = statementOf({ ...license, name: `${license.name} West` }, { documentId: await on.upload(shop.owner) })
      const request = (await on.ask(shop, body)).json() as { id: string }
      expect((await on.decide(request, moderator)).json()).toEqual({ approvals: 1, isVerified: false })
      return request
    }
    const [first, second] = [await requestOf(shops[0]), await requestOf(shops[1])]
    const admin = await on.withRole('admin')
    const calls = await test.db.transaction().execute(async (tx) => {
      await lockAuditLog(tx)
      const approving = on.decide(first, admin)
      await untilWaiting(test.db)
      const approvingNext = on.decide(second, admin)
      await untilWaiting(test.db, { count: 2 })
      return [approving, approvingNext]
    })
    for (const answer of await Promise.all(calls)) expect(answer.json()).toEqual({ approvals: 2, isVerified: true })
    const statuses = [(await on.publicOf(shops[0])).verification.status, (await on.publicOf(shops[1])).verification.status]
    expect(statuses).toEqual(['revoked', 'verified'])
  },
)
