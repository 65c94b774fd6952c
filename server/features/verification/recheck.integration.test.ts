import type { Insertable } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DB } from '#server/db/connect.ts'
import { findAuditBreak } from '#server/features/audit/index.ts'
import { newId } from '#server/kernel/ids.ts'
import { grantPlan } from '#tests/support/entitlements.ts'
import { licensesOf, nextNumber, type Shop, statementOf } from '#tests/support/licenses.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let on: Awaited<ReturnType<typeof licensesOf>>

beforeAll(async () => {
  test = await startTestApp()
  on = await licensesOf(test)
})
afterAll(() => test?.close())

describe('the nightly check', () => {
  it('warns 60, 30, and 7 days before expiration, once each, and expires and renews licenses', async () => {
    const shop = await on.addShop()
    const manager = await test.signUp()
    const staff = await test.signUp()
    await on.addMember(shop, manager, 'manager')
    await on.addMember(shop, staff, 'staff')
    await grantPlan(test.db, { businessId: shop.id, planId: 'verified' })
    const license = await on.addLicense()
    const expiresOn = on.inDays(70)
    await on.verify(shop, license, { expiresOn })
    await test.runJobs()
    const warnings = () => on.mailsTo(shop.owner).filter(({ subject }) => subject.includes('your license expires'))
    const seen: [daysLeft: number, warnings: number][] = []
    for (const daysLeft of [61, 60, 59, 31, 30, 8, 7, 1]) {
      const now = on.inDays(0)
      const left = Math.round((Date.parse(expiresOn) - Date.parse(now)) / 86_400_000)
      test.clock.advance({ days: left - daysLeft })
      await on.recheck()
      await on.recheck()
      seen.push([daysLeft, warnings().length])
    }
    expect(seen).toEqual([
      [61, 0],
      [60, 1],
      [59, 1],
      [31, 1],
      [30, 2],
      [8, 2],
      [7, 3],
      [1, 3],
    ])
    expect(warnings()[1]?.text).toContain('in 30 days')
    expect(warnings().map(({ text }) => text.includes(license.number))).toEqual([true, true, true])
    // No subject mentions what the business sells. Managers are notified, staff aren't.
    expect(warnings().some(({ subject }) => /cannabis|dispensar/i.test(subject))).toBe(false)
    expect(on.mailsTo(manager).filter(({ subject }) => subject.includes('your license expires'))).toHaveLength(3)
    expect(on.mailsTo(staff)).toEqual([])
    const notifications = async ({ user }: TestPerson) =>
      (await test.db.selectFrom('notifications').select('type').where('user_id', '=', user.id).orderBy('created_at', 'desc').execute()).map(
        ({ type }) => type,
      )
    expect(await notifications(staff)).toEqual([])
    expect(await notifications(manager)).toEqual(['license_expiring', 'license_expiring', 'license_expiring', 'license_verified'])

    test.clock.advance({ days: 1 })
    await on.recheck()
    expect((await on.publicOf(shop)).isLicenseVerified).toBe(true)
    test.clock.advance({ days: 1 })
    await on.recheck()
    await on.recheck()
    const page = await on.publicOf(shop)
    expect(page).toMatchObject({ isLicenseVerified: false, hasVerifiedBadge: false, verification: { status: 'expired', expiresOn } })
    expect(on.mailsTo(shop.owner).at(-1)?.text).toContain('expired on')
    expect(on.mailsTo(shop.owner).filter(({ subject }) => subject.includes('your license has expired'))).toHaveLength(1)

    // The owner's session has expired.
    const keeper = await test.signUp()
    await on.addMember(shop, keeper, 'manager')
    shop.owner = keeper
    const silent = await on.ask(shop, statementOf(license))
    expect(silent.json().fields).toEqual({
      expiresOn: expect.stringMatching(/^You said that this license expired on .* Enter the new expiration date/),
    })
    const renewed = await on.ask(shop, statementOf(license, { expiresOn: on.inDays(365) }))
    expect(renewed.json()).toMatchObject({ status: 'verified' })
    expect((await on.publicOf(shop)).verification).toMatchObject({ status: 'verified', expiresOn: on.inDays(365) })
    const again = await on.ask(shop, statementOf(license, { expiresOn: on.inDays(400) }))
    expect((await on.stateOf(shop)).history.map(({ id, status }) => [id, status])).toEqual([
      [again.json().id, 'verified'],
      [renewed.json().id, 'superseded'],
      [expect.any(String), 'expired'],
    ])
  })

  it('shows news about a license in the app only while it is true', async () => {
    const [shop, license] = [await on.addShop(), await on.addLicense()]
    const { id } = await on.verify(shop, license, { expiresOn: on.inDays(40) })
    await test.runJobs()
    const news = async () =>
      ((await test.request('GET', '/api/notifications', shop.owner)).json() as { type: string }[])
        .map(({ type }) => type)
        .filter((type) => type.startsWith('license_'))
    expect(await news()).toEqual(['license_verified'])
    const expiresIn = (days: number) =>
      test.db
        .updateTable('license_verifications')
        .set({ expires_on: on.inDays(days), stated_expires_on: on.inDays(days) })
        .where('id', '=', id)
        .execute()
    await expiresIn(20)
    await on.recheck()
    expect(await news()).toEqual(['license_expiring', 'license_verified'])
    await expiresIn(-2)
    await on.recheck()
    expect(await news()).toEqual(['license_ended'])
    await on.verify(shop, license, { expiresOn: on.inDays(365) })
    await test.runJobs()
    expect(await news()).toEqual(['license_verified'])
  })

  it('emails everyone who manages a license, even if one mailbox refuses the email', async () => {
    const shop = await on.addShop()
    const [refusing, other] = [await test.signUp(), await test.signUp()]
    for (const manager of [refusing, other]) await on.addMember(shop, manager, 'manager')
    await test.runJobs()
    await on.verify(shop, await on.addLicense())
    const { send } = test.ctx.mail
    test.ctx.mail.send = async (mail) => {
      if (mail.to === refusing.email) throw new Error('There is no such mailbox.')
      await send(mail)
    }
    try {
      await expect(test.runJobs()).rejects.toThrow('There is no such mailbox.')
      await test.runJobs()
    } finally {
      test.ctx.mail.send = send
    }
    expect([shop.owner, other].map((manager) => on.mailsTo(manager).map(({ subject }) => subject))).toEqual(
      Array(2).fill(['Sungrove: your license is verified']),
    )
  })

  it('warns again in the year after a renewal', async () => {
    const shop = await on.addShop()
    const license = await on.addLicense({ expires_on: on.inDays(70) })
    await on.verify(shop, license)
    const webhook = {
      id: newId(),
      business_id: shop.id,
      url: 'https://pos.example/',
      events: ['license.expiring'],
      sealed_secret: 'sealed',
    }
    await test.db
      .insertInto('webhooks')
      .values({ ...webhook, created_by: shop.owner.user.id, created_at: test.clock.now() })
      .execute()
    const recheckAfter = async (days: number) => {
      test.clock.advance({ days })
      await on.recheck()
    }
    await recheckAfter(65)
    await test.db
      .updateTable('licenses')
      .set({ expires_on: on.inDays(370) })
      .where('id', '=', license.id)
      .execute()
    await recheckAfter(1)
    await recheckAfter(364)
    const warnings = await test.db
      .selectFrom('notifications')
      .select('id')
      .where('user_id', '=', shop.owner.user.id)
      .where('type', '=', 'license_expiring')
      .execute()
    expect(warnings).toHaveLength(2)
    const deliveries = await test.db.selectFrom('webhook_deliveries').select('id').where('webhook_id', '=', webhook.id).execute()
    expect(deliveries).toHaveLength(2)
  })

  it('shows that a license has expired even before the job has run', async () => {
    const shop = await on.addShop()
    const license = await on.addLicense()
    await on.verify(shop, license, { expiresOn: on.inDays(30) })
    // Backdate the license instead of moving the clock, because the database has its own clock.
    await test.db.updateTable('license_verifications').set({ expires_on: '2020-01-01' }).where('business_id', '=', shop.id).execute()
    await test.db.updateTable('businesses').set({ license_verified_through: '2020-01-01' }).where('id', '=', shop.id).execute()
    test.ctx.cache.invalidate('businesses')
    expect(await on.publicOf(shop)).toMatchObject({ isLicenseVerified: false, verification: { status: 'expired' } })
  })

  it('sends only the latest warning after downtime', async () => {
    const shop = await on.addShop()
    await on.verify(shop, await on.addLicense(), { expiresOn: on.inDays(100) })
    test.clock.advance({ days: 95 })
    await on.recheck()
    const sent = on.mailsTo(shop.owner).filter(({ subject }) => subject.includes('your license expires'))
    expect(sent).toHaveLength(1)
    expect(sent[0]?.text).toContain('in 5 days')
  })

  it('revokes inactive, missing, or renamed licenses, ends expired ones, and extends renewed ones', async () => {
    const cases: [Partial<Insertable<DB['licenses']>>, string, string | null][] = [
      [
        { standing: 'inactive', status: 'Revoked' },
        'revoked',
        'The register of the Colorado Marijuana Enforcement Division lists this license as “Revoked”.',
      ],
      [{ standing: 'missing' }, 'revoked', 'The register of the Colorado Marijuana Enforcement Division no longer lists this license.'],
      [
        { business_name: 'Quite Another', name_key: 'quite another' },
        'revoked',
        'The register now lists this license under a different name.',
      ],
      [{ expires_on: '2026-02-01' }, 'expired', null],
      [{ expires_on: on.inDays(500) }, 'verified', null],
    ]
    const shops: Shop[] = []
    for (const [change] of cases) {
      const shop = await on.addShop()
      const license = await on.addLicense({ expires_on: on.inDays(50) })
      await on.verify(shop, license)
      await test.db.updateTable('licenses').set(change).where('id', '=', license.id).execute()
      shops.push(shop)
    }
    await on.recheck()
    for (const [i, [, status, reason]] of cases.entries()) {
      expect((await on.publicOf(shops[i] as Shop)).verification).toMatchObject({ status, reason })
    }
    expect((await on.publicOf(shops[4] as Shop)).verification.expiresOn).toBe(on.inDays(500))
  })

  it('sets the license standing to inactive when a license that isn’t in any register expires', async () => {
    const shop = await on.addShop()
    const documentId = await on.upload(shop.owner)
    const body = statementOf({ number: `PAPER-${nextNumber()}`, name: shop.name }, { documentId, expiresOn: on.inDays(10) })
    const request = (await on.ask(shop, body)).json()
    // The other sessions have expired.
    for (let i = 0; i < 2; i++) await on.decide(request, await on.withRole('moderator'))
    expect(await on.publicOf(shop)).toMatchObject({ isLicenseVerified: true, licenseStanding: 'listed', verification: { authority: null } })
    test.clock.advance({ days: 11 })
    await on.recheck()
    expect(await on.publicOf(shop)).toMatchObject({
      isLicenseVerified: false,
      licenseStanding: 'inactive',
      verification: { status: 'expired' },
    })
  })
})

it('logs the job’s actions in an intact audit chain', async () => {
  const rows = await test.db.selectFrom('audit_log').select('action').where('actor_id', 'is', null).distinct().execute()
  expect(rows.map(({ action }) => action).sort()).toEqual(['license.expired', 'license.revoked', 'license.warned'])
  expect(await findAuditBreak(test.db)).toBeNull()
})
