import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BusinessSummary } from '#contracts/businesses.ts'
import type { Verification, WaitingVerification } from '#contracts/verification.ts'
import { findAuditBreak } from '#server/features/audit/index.ts'
import { newId } from '#server/kernel/ids.ts'
import { grantPlan } from '#tests/support/entitlements.ts'
import { licensesOf, nextNumber, statementOf } from '#tests/support/licenses.ts'
import { giveRole } from '#tests/support/roles.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let on: Awaited<ReturnType<typeof licensesOf>>
let admin: TestPerson
const moderators: TestPerson[] = []

beforeAll(async () => {
  test = await startTestApp()
  on = await licensesOf(test)
  for (let i = 0; i < 2; i++) moderators.push(await on.withRole('moderator'))
  admin = await on.withRole('admin')
})
afterAll(() => test?.close())

const noticesOf = async (person: TestPerson) =>
  ((await test.request('GET', '/api/notifications', person)).json() as { type: string; title: string; actionUrl: string }[]).filter(
    ({ type }) => type.startsWith('license'),
  )

describe('verification with a code to the register’s contact', () => {
  it('shows the method, the date, and the expiration', async () => {
    const shop = await on.addShop()
    const license = await on.addLicense({ expires_on: on.inDays(200) })
    expect((await on.publicOf(shop)).verification).toMatchObject({ status: 'none', licenseNumber: null })
    const answer = await on.verify(shop, license, { licenseNumber: license.number.toLowerCase() })
    expect(answer).toMatchObject({ status: 'verified', match: 'full', basis: 'code', differences: ['proof'] })
    const page = await on.publicOf(shop)
    expect(page.verification).toMatchObject({
      status: 'verified',
      authority: 'Colorado Marijuana Enforcement Division',
      source: 'Public register',
      sourceDate: '2026-09-01',
      expiresOn: on.inDays(200),
      expirySource: 'register',
      basis: 'code',
    })
    expect(page).toMatchObject({ isLicenseVerified: true, hasVerifiedBadge: false, licenseStanding: 'listed' })
    expect(page.licenses.map(({ id }) => id)).toEqual([license.id])
    const again = await on.ask(shop, statementOf(license, { licenseNumber: license.number.toLowerCase() }))
    expect(again.json().id).toBe(answer.id)
    expect((await on.stateOf(shop)).history).toHaveLength(1)
    await test.runJobs()
    expect(on.mailsTo(shop.owner).map(({ subject }) => subject)).toEqual([`${test.ctx.brand.name}: your license is verified`])
    expect(await noticesOf(shop.owner)).toMatchObject([
      { type: 'license_verified', actionUrl: `/business-dashboard/license?business=${shop.slug}` },
    ])
  })

  it('shows the gold badge only with both a verified license and the plan, even in lists', async () => {
    const shop = await on.addShop()
    const summary = async () =>
      ((await test.request('GET', `/api/businesses?q=${encodeURIComponent(shop.name)}`, null)).json() as BusinessSummary[]).find(
        ({ id }) => id === shop.id,
      )
    const plan = await grantPlan(test.db, { businessId: shop.id, planId: 'verified' })
    test.ctx.cache.invalidate('businesses')
    expect(await summary()).toMatchObject({ isLicenseVerified: false, hasVerifiedBadge: false })
    await on.verify(shop, await on.addLicense())
    expect(await summary()).toMatchObject({ isLicenseVerified: true, hasVerifiedBadge: true })
    expect((await on.stateOf(shop)).hasVerifiedBadge).toBe(true)
    await test.db.updateTable('agreements').set({ entitled_until: '2020-01-01' }).where('id', '=', plan).execute()
    test.ctx.cache.invalidate('businesses')
    expect(await summary()).toMatchObject({ isLicenseVerified: true, hasVerifiedBadge: false })
    await grantPlan(test.db, { businessId: shop.id, planId: 'business_tools' })
    test.ctx.cache.invalidate('businesses')
    expect(await summary()).toMatchObject({ hasVerifiedBadge: false })
  })

  it('labels an expiration date as stated by the owner if the register has none', async () => {
    const [stated, silent] = [await on.addShop(), await on.addShop()]
    await on.verify(stated, await on.addLicense(), { expiresOn: on.inDays(0) })
    await on.verify(silent, await on.addLicense())
    expect((await on.publicOf(stated)).verification).toMatchObject({
      status: 'verified',
      expiresOn: on.inDays(0),
      expirySource: 'business',
    })
    expect((await on.publicOf(silent)).verification).toMatchObject({ status: 'verified', expiresOn: null, expirySource: null })
    const late = await on.ask(await on.addShop(), statementOf(await on.addLicense(), { expiresOn: on.inDays(-1) }))
    expect(late.json()).toMatchObject({ code: 'invalid_input', fields: { expiresOn: 'This day has passed' } })
  })

  it('requires a license from the business’s state', async () => {
    const shop = await on.addShop()
    const license = await on.addLicense({ state: 'OK' })
    const refused = await on.ask(shop, statementOf(license, { state: 'OK' }))
    expect(refused.statusCode).toBe(400)
    expect(refused.json().fields.state).toContain('Colorado')
    await test.db.updateTable('businesses').set({ state: null, country: null }).where('id', '=', shop.id).execute()
    expect(await on.verify(shop, license, { state: 'OK' })).toMatchObject({ status: 'verified' })
    expect((await test.request('PATCH', `/api/businesses/${shop.id}`, shop.owner, { location: 'Boulder, CO' })).statusCode).toBe(400)
    expect((await test.request('PATCH', `/api/businesses/${shop.id}`, shop.owner, { location: 'Tulsa, OK' })).statusCode).toBe(200)
  })

  it('refuses inactive licenses, quoting the register’s status, even with a document', async () => {
    const shop = await on.addShop()
    const documentId = await on.upload(shop.owner)
    for (const [given, words] of [
      [
        { standing: 'inactive', status: 'Suspended' },
        'The register of the Colorado Marijuana Enforcement Division lists this license as “Suspended”.',
      ],
      [{ standing: 'missing', authority: null }, 'The register of Colorado no longer lists this license.'],
      [{ expires_on: '2026-01-31' }, 'The register says that this license expired on January 31, 2026.'],
    ] as const) {
      const answer = await on.ask(shop, statementOf(await on.addLicense(given), { documentId }))
      expect([answer.statusCode, answer.json().message]).toEqual([409, words])
    }
    expect((await on.stateOf(shop)).history).toEqual([])
  })

  it('suggests the register’s licenses for a listing', async () => {
    const shop = await on.addShop()
    const license = await on.addLicense({ business_id: shop.id })
    const { linked, suggestion } = await on.stateOf(shop)
    expect(linked.map(({ licenseNumber }) => licenseNumber)).toEqual([license.number])
    expect((await on.ask(shop, suggestion)).json()).toMatchObject({ status: 'pending', match: 'full', differences: ['proof'] })
  })

  it('succeeds for only one of two businesses that enter codes for the same license concurrently', async () => {
    const shops = [await on.addShop(), await on.addShop()]
    const license = await on.addLicense()
    const codes = []
    for (const [i, shop] of shops.entries()) {
      const request = (await on.ask(shop, statementOf(license))).json()
      const email = `${i}@${license.domain}`
      codes.push({ shop, claim: (await on.prove(request, shop.owner, { method: 'email', email })).json(), code: await on.codeFor(email) })
    }
    const answers = await Promise.all(codes.map(({ shop, claim, code }) => on.enter(claim, shop.owner, code)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    const verified = await Promise.all(shops.map(async (shop) => (await on.publicOf(shop)).isLicenseVerified))
    expect(verified.filter(Boolean)).toHaveLength(1)
  })
})

describe('verification by two people', () => {
  it('requires the owner’s own document for facts that differ from the register or are missing from it', async () => {
    const shop = await on.addShop()
    const license = await on.addLicense()
    const unknown = await on.ask(shop, statementOf({ number: 'NOWHERE-1', name: 'Green Door' }))
    expect(unknown.json().fields.documentId).toMatch(/no license with this number/)
    const near = await on.ask(shop, statementOf({ ...license, name: `${license.name} West` }))
    expect(near.json().fields.documentId).toMatch(/a different name/)
    const stranger = await test.signUp()
    const theirs = await on.ask(shop, statementOf({ number: 'NOWHERE-1', name: 'X' }, { documentId: await on.upload(stranger) }))
    expect(theirs.json().fields.documentId).toMatch(/isn’t yours/)
  })

  it('requires two different approvers, not one twice', async () => {
    const shop = await on.addShop()
    const license = await on.addLicense()
    const documentId = await on.upload(shop.owner)
    const request = (
      await on.ask(shop, statementOf({ ...license, name: `${license.name} West` }, { documentId, expiresOn: on.inDays(90) }))
    ).json()
    expect(request).toMatchObject({ status: 'pending', match: 'near', differences: ['name'], document: { kind: 'document' } })
    expect(await on.publicOf(shop)).toMatchObject({ isLicenseVerified: false, licenseStanding: 'none', verification: { status: 'none' } })
    const [first, second] = moderators as [TestPerson, TestPerson]
    const waiting = async (as: TestPerson) =>
      ((await test.request('GET', '/api/verifications/waiting', as)).json() as WaitingVerification[]).find(
        ({ verification }) => verification.id === request.id,
      )
    expect(await waiting(first)).toMatchObject({
      register: { id: license.id, businessName: license.name },
      approvals: [],
      mayApprove: true,
      business: { slug: shop.slug },
    })
    for (let i = 0; i < 2; i++) expect((await on.decide(request, first)).json()).toEqual({ approvals: 1, isVerified: false })
    expect(await waiting(first)).toMatchObject({ approvals: [{ person: { id: first.user.id } }], mayApprove: false, mayReject: true })
    expect(await waiting(second)).toMatchObject({ mayApprove: true })
    expect((await on.publicOf(shop)).isLicenseVerified).toBe(false)
    expect((await on.decide(request, admin)).json()).toEqual({ approvals: 2, isVerified: true })
    expect((await on.publicOf(shop)).verification).toMatchObject({ status: 'verified', basis: 'document', expirySource: 'business' })
    expect((await on.decide(request, second)).json()).toEqual({ approvals: 2, isVerified: true })
    expect((await on.decide(request, second, 'reject')).statusCode).toBe(409)
    expect(await waiting(second)).toBeUndefined()
  })

  it('can’t be decided by the business’s own team', async () => {
    const shop = await on.addShop(moderators[0])
    const staff = moderators[1] as TestPerson
    await on.addMember(shop, staff, 'staff')
    const documentId = await on.upload(shop.owner)
    const request = (await on.ask(shop, statementOf({ number: 'OWN-1', name: 'Own' }, { documentId }))).json()
    for (const person of [shop.owner, staff]) {
      expect((await on.decide(request, person)).statusCode).toBe(403)
      expect((await on.decide(request, person, 'reject')).statusCode).toBe(403)
    }
    expect((await on.decide(request, admin)).json()).toEqual({ approvals: 1, isVerified: false })
    const held = await test.db.selectFrom('license_approvals').select('user_id').where('verification_id', '=', request.id).execute()
    expect(held).toEqual([{ user_id: admin.user.id }])
    await test.db.deleteFrom('business_members').where('business_id', '=', shop.id).where('user_id', '=', staff.user.id).execute()
    await test.db.deleteFrom('business_members').where('business_id', '=', shop.id).execute()
    expect((await on.decide(request, shop.owner)).statusCode).toBe(403)
    expect((await on.decide(request, staff, 'reject')).statusCode).toBe(204)
  })

  it('can’t be decided by a moderator who left the team after the request', async () => {
    const shop = await on.addShop()
    const leaver = moderators[0] as TestPerson
    await on.addMember(shop, leaver, 'manager')
    const documentId = await on.upload(shop.owner)
    const request = (await on.ask(shop, statementOf({ number: 'LEFT-1', name: 'Left' }, { documentId }))).json()
    const leave = await test.request('DELETE', `/api/businesses/${shop.id}/team/members/${leaver.user.id}`, leaver)
    expect(leave.statusCode).toBe(204)
    expect((await on.decide(request, leaver)).statusCode).toBe(403)
    expect((await on.decide(request, leaver, 'reject')).statusCode).toBe(403)
    const waiting = (await test.request('GET', '/api/verifications/waiting', leaver)).json() as WaitingVerification[]
    expect(waiting.find((each) => each.verification.id === request.id)).toMatchObject({ mayApprove: false, mayReject: false })
    await on.decide(request, admin, 'reject')
    test.clock.advance({ seconds: 1 })
    const another = await on.upload(shop.owner)
    const next = (await on.ask(shop, statementOf({ number: 'LEFT-2', name: 'Left' }, { documentId: another }))).json()
    expect((await on.decide(next, leaver)).json()).toEqual({ approvals: 1, isVerified: false })
  })

  it('counts an approval only while its moderator may decide', async () => {
    const shop = await on.addShop()
    const [former, joined] = [await on.withRole('moderator'), await on.withRole('moderator')]
    const documentId = await on.upload(shop.owner)
    const request = (await on.ask(shop, statementOf({ number: 'COUNT-1', name: 'Count' }, { documentId }))).json()
    for (const person of [former, joined]) {
      await test.db.deleteFrom('license_approvals').where('verification_id', '=', request.id).execute()
      expect((await on.decide(request, person)).json()).toEqual({ approvals: 1, isVerified: false })
      if (person === former) await giveRole(test, person, 'member')
      else await on.addMember(shop, person, 'staff')
      await test.db.deleteFrom('license_approvals').where('user_id', '=', admin.user.id).where('verification_id', '=', request.id).execute()
      expect((await on.decide(request, admin)).json()).toEqual({ approvals: 1, isVerified: false })
    }
    expect((await on.decide(request, moderators[0] as TestPerson)).json()).toEqual({ approvals: 2, isVerified: true })
  })

  it('doesn’t count approvals by moderators who joined the holder’s or listing’s team, or were on the requesting team', async () => {
    const [holder, listed] = [await on.addShop(), await on.addShop()]
    const [heldLicense, listedLicense] = [await on.addLicense(), await on.addLicense({ business_id: listed.id })]
    await on.verify(holder, heldLicense)
    const cases = [[heldLicense, holder] as const, [listedLicense, listed] as const, [await on.addLicense(), null] as const]
    for (const [license, involved] of cases) {
      const shop = await on.addShop()
      const documentId = await on.upload(shop.owner)
      const request = (await on.ask(shop, statementOf({ ...license, name: `${license.name} West` }, { documentId }))).json()
      const joining = await on.withRole('moderator')
      expect((await on.decide(request, joining)).json()).toEqual({ approvals: 1, isVerified: false })
      await on.addMember(involved ?? shop, joining, 'manager')
      if (!involved) await test.request('DELETE', `/api/businesses/${shop.id}/team/members/${joining.user.id}`, joining)
      expect((await on.decide(request, admin)).json()).toEqual({ approvals: 1, isVerified: false })
      expect((await on.decide(request, moderators[0] as TestPerson)).json()).toEqual({ approvals: 2, isVerified: true })
    }
  })

  it('can be rejected by one moderator with a reason, and then requested again', async () => {
    const shop = await on.addShop()
    const documentId = await on.upload(shop.owner)
    const body = statementOf({ number: `UNKNOWN-${nextNumber()}`, name: 'Green Door' }, { documentId })
    const request = (await on.ask(shop, body)).json()
    expect((await on.ask(shop, body)).json().id).toBe(request.id)
    const other = await on.ask(shop, { ...body, licenseName: 'Blue Door' })
    expect([other.statusCode, other.json().message]).toEqual([409, expect.stringMatching(/is still waiting/)])
    expect((await on.decide(request, admin, 'reject')).statusCode).toBe(204)
    expect((await on.decide(request, admin, 'reject')).statusCode).toBe(204)
    await test.runJobs()
    expect(on.mailsTo(shop.owner)).toHaveLength(1)
    expect(on.mailsTo(shop.owner)[0]?.text).toContain('“Unreadable”')
    expect((await on.stateOf(shop)).history).toMatchObject([{ status: 'rejected', reason: 'Unreadable' }])
    const next = (await on.ask(shop, { ...body, documentId: await on.upload(shop.owner) })).json()
    expect(next.status).toBe('pending')
    expect((await test.request('DELETE', `/api/verifications/${next.id}`, shop.owner)).statusCode).toBe(204)
    expect((await test.request('DELETE', `/api/verifications/${next.id}`, shop.owner)).statusCode).toBe(204)
    expect((await on.stateOf(shop)).pending).toBeNull()
  })

  it('treats a second claim to a license as a dispute and moves the badge if the claim is granted', async () => {
    const license = await on.addLicense()
    const [first, second] = [await on.addShop(), await on.addShop()]
    await on.verify(first, license)
    const documentId = await on.upload(second.owner)
    expect((await on.ask(second, statementOf(license))).json().fields.documentId).toMatch(/Another business is verified/)
    const request = (await on.ask(second, statementOf(license, { documentId }))).json()
    expect(request).toMatchObject({ status: 'pending', match: 'full', differences: ['listing', 'holder'] })
    const waiting = (await test.request('GET', '/api/verifications/waiting', admin)).json() as WaitingVerification[]
    expect(waiting.find(({ verification }) => verification.id === request.id)?.holder).toEqual({
      slug: first.slug,
      name: first.name,
      isVerified: true,
    })
    await on.decide(request, moderators[0] as TestPerson)
    expect((await on.publicOf(first)).isLicenseVerified).toBe(true)
    await on.decide(request, moderators[1] as TestPerson)
    expect((await on.publicOf(second)).verification).toMatchObject({ status: 'verified', basis: 'document' })
    expect((await on.publicOf(first)).verification).toMatchObject({
      status: 'revoked',
      reason: 'This license belongs to another business.',
    })
    expect(await on.publicOf(first)).toMatchObject({ licenses: [], licenseStanding: 'inactive' })
    expect(await on.publicOf(second)).toMatchObject({ licenses: [{ id: license.id }], licenseStanding: 'listed' })
  })

  it('can’t be decided by the team of the current license holder or its listing', async () => {
    const license = await on.addLicense()
    const [holder, claimer] = [await on.addShop(), await on.addShop()]
    await on.verify(holder, license)
    const partial = await on.withRole('moderator')
    await on.addMember(holder, partial, 'staff')
    const documentId = await on.upload(claimer.owner)
    const request = (await on.ask(claimer, statementOf(license, { documentId }))).json()
    expect((await on.decide(request, partial, 'reject')).statusCode).toBe(403)
    expect((await on.decide(request, partial)).statusCode).toBe(403)
    const waiting = (await test.request('GET', '/api/verifications/waiting', partial)).json() as WaitingVerification[]
    expect(waiting.find(({ verification }) => verification.id === request.id)).toMatchObject({ mayApprove: false, mayReject: false })
    await test.db
      .updateTable('license_verifications')
      .set({ status: 'revoked' })
      .where('business_id', '=', holder.id)
      .where('status', '=', 'verified')
      .execute()
    expect((await on.decide(request, partial, 'reject')).statusCode).toBe(403)
    expect((await on.decide(request, admin, 'reject')).statusCode).toBe(204)
  })

  it('requires a document for a license that the directory lists for another business, and suggests a claim', async () => {
    const listed = await on.addShop()
    const license = await on.addLicense({ business_id: listed.id })
    const answer = await on.ask(await on.addShop(), statementOf(license))
    expect(answer.json().fields.documentId).toMatch(/If it’s yours, claim it/)
  })
})

it('decides by role who may request, review and withdraw', async () => {
  const shop = await on.addShop()
  const people: Record<string, TestPerson | null> = {
    owner: shop.owner,
    manager: await test.signUp(),
    staff: await test.signUp(),
    stranger: await test.signUp(),
    other: (await on.addShop()).owner,
    moderator: await on.withRole('moderator'),
    visitor: null,
  }
  for (const role of ['manager', 'staff'] as const) await on.addMember(shop, people[role] as TestPerson, role)
  const request = (
    await on.ask(shop, statementOf({ number: `MATRIX-${nextNumber()}`, name: 'X' }, { documentId: await on.upload(shop.owner) }))
  ).json() as Verification
  const calls: [string, (as: TestPerson | null) => ReturnType<TestApp['request']>][] = [
    ['read', (as) => test.request('GET', `/api/businesses/${shop.id}/verification`, as)],
    ['ask', (as) => on.ask(shop, statementOf({ number: 'OTHER', name: 'X' }), as)],
    ['wait', (as) => test.request('GET', '/api/verifications/waiting', as)],
    ['approve', (as) => test.request('POST', `/api/verifications/${request.id}/approve`, as)],
    ['reject', (as) => test.request('POST', `/api/verifications/${newId()}/reject`, as, { reason: 'No' })],
    ['withdraw', (as) => test.request('DELETE', `/api/verifications/${request.id}`, as)],
  ]
  const matrix: Record<string, number[]> = {}
  for (const [role, person] of Object.entries(people).reverse()) {
    matrix[role] = []
    for (const [, call] of calls) matrix[role].push((await call(person)).statusCode)
  }
  // A conflict with a pending request (409) and a missing document (400) show that the request was permitted.
  expect(matrix).toEqual({
    //        read request list approve reject withdraw
    visitor: [401, 401, 401, 401, 401, 401],
    moderator: [403, 403, 200, 200, 404, 404],
    other: [403, 403, 403, 403, 403, 404],
    stranger: [403, 403, 403, 403, 403, 404],
    staff: [403, 403, 403, 403, 403, 404],
    manager: [200, 409, 403, 403, 403, 204],
    owner: [200, 400, 403, 403, 403, 204],
  })
})

it('refuses a demo business, which has no license', async () => {
  const shop = await on.addShop()
  await test.db.updateTable('businesses').set({ is_demo: true }).where('id', '=', shop.id).execute()
  expect((await on.ask(shop, statementOf(await on.addLicense()))).statusCode).toBe(403)
})

it('logs every step in an intact audit chain', async () => {
  const rows = await test.db.selectFrom('audit_log').select('action').where('action', 'like', 'license.%').distinct().execute()
  expect(rows.map(({ action }) => action).sort()).toEqual([
    'license.approved',
    'license.rejected',
    'license.requested',
    'license.revoked',
    'license.verified',
    'license.withdrawn',
  ])
  expect(await findAuditBreak(test.db)).toBeNull()
})
