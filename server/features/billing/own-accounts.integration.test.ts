import fs from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Agreement, PaymentAccounts } from '#contracts/billing.ts'
import { findAuditBreak } from '#server/features/audit/index.ts'
import { actorOf } from '#tests/support/actors.ts'
import { crashAt } from '#tests/support/crash.ts'
import { mailsTo } from '#tests/support/mailbox.ts'
import type { MemoryJobs } from '#tests/support/memory-jobs.ts'
import { isCrash, type OwnAccounts, type PayPalBusiness, startOwnAccounts } from '#tests/support/own-accounts.ts'
import type { Merchant } from '#tests/support/paypal-server.ts'
import { joinBusiness } from '#tests/support/social.ts'
import type { TestPerson } from '#tests/support/test-app.ts'
import { connectAccount } from './payment-accounts.ts'

let o: OwnAccounts
let a: PayPalBusiness
let b: PayPalBusiness

beforeAll(async () => {
  o = await startOwnAccounts()
  a = await o.newYard('Yard A')
  b = await o.newYard('Yard B')
})
afterAll(() => o?.close())

describe('connecting an account', () => {
  it('verifies the keys and creates the webhook before storing anything', async () => {
    const business = await o.newBusiness('Yard C')
    const merchant = o.paypal.addMerchant()
    const refused = await o.connect(business, { ...merchant, clientSecret: 'another secret'.replace(' ', '-') })
    expect(refused.statusCode).toBe(400)
    expect(refused.json().fields).toEqual({ clientSecret: expect.stringContaining('PayPal doesn’t recognize this client ID and secret') })
    expect((await o.setPrice({ ...business } as PayPalBusiness, '5')).json().message).toContain('First set up how you get paid')
    merchant.maxWebhooks = 0
    expect((await o.connect(business, merchant)).json().message).toContain('as many webhooks as PayPal allows')
    merchant.maxWebhooks = 10
    merchant.isDown = true
    const silent = await o.connect(business, merchant)
    expect(silent.statusCode).toBe(503)
    expect(silent.headers['retry-after']).toBeDefined()
    merchant.isDown = false
    expect(await o.billing.call<PaymentAccounts>(business.owner, 'GET', o.accountsUrl(business.id))).toMatchObject({
      isOffered: true,
      mayConnect: true,
      paypal: null,
    })
    const connected = (await o.connect(business, merchant)).json() as PaymentAccounts
    expect(connected.paypal).toMatchObject({ endsIn: merchant.clientId.slice(-4), environment: 'live', state: 'working', payingCount: 0 })
    const { id, webhook_id } = await o.rowOf(business.id)
    expect(merchant.webhooks).toEqual([
      {
        id: webhook_id,
        url: `https://grove.example/api/billing/messages/paypal/${id}`,
        event_types: expect.arrayContaining([{ name: 'PAYMENT.SALE.COMPLETED' }, { name: 'BILLING.SUBSCRIPTION.ACTIVATED' }]),
      },
    ])
    merchant.clientSecret = 'a-new-secret-of-the-same-app'
    expect((await o.connect(business, merchant)).statusCode).toBe(200)
    expect(await o.rowOf(business.id)).toMatchObject({ id, webhook_id })
    expect(merchant.webhooks).toHaveLength(1)
    ;(merchant.webhooks[0] as Merchant['webhooks'][number]).event_types = [{ name: 'PAYMENT.SALE.COMPLETED' }]
    expect((await o.connect(business, merchant)).statusCode).toBe(200)
    expect(merchant.webhooks[0]?.event_types.length).toBeGreaterThan(5)
  })

  it('requires the password, and emails the owners about where new payments go', async () => {
    const { owner, id } = await o.newBusiness('Yard D')
    const merchant = o.paypal.addMerchant()
    const putAs = (password: string) => ({
      paypal: () => o.test.request('PUT', `${o.accountsUrl(id)}/paypal`, owner, { ...o.keysOf(merchant), password }),
      invoice: () => o.test.request('PUT', `${o.accountsUrl(id)}/invoice`, owner, { instructions: 'To account 55', password }),
    })
    const wrong = putAs('not the password')
    for (const answer of [await wrong.paypal(), await wrong.invoice()]) {
      expect([answer.statusCode, answer.json().fields]).toEqual([400, { password: 'This isn’t your password.' }])
    }
    expect([merchant.webhooks, (await o.accounts({ owner, id })).paypal]).toEqual([[], null])
    const right = putAs(owner.password)
    for (const answer of [await right.paypal(), await right.invoice()]) expect(answer.statusCode, answer.body).toBe(200)
    const isAboutPayment = ({ subject }: { subject: string }) => subject === 'SG Media: how you get paid has changed'
    const texts = (await mailsTo(o.test, owner.email)).filter(isAboutPayment).map(({ text }) => text)
    expect(texts).toHaveLength(2)
    expect(texts.join()).toContain('A PayPal account was just connected. New payments go to it.')
    expect(texts.join()).toContain('The instructions for paying your invoices were just changed.')
    expect(texts.join()).not.toMatch(/Yard D|Sungrove/)
  })

  it('is allowed only for owners of businesses with the plan, and never for demo businesses', async () => {
    const poor = await o.billing.addOwnBusiness(await o.test.signUp(), 'Poor Yard')
    const owner = await o.test.signUp()
    await joinBusiness(o.test.db, owner.user.id, poor.id, 'staff')
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      const url = method === 'GET' ? o.accountsUrl(a.id) : `${o.accountsUrl(a.id)}/paypal`
      expect((await o.test.request(method, url, b.owner, method === 'PUT' ? o.keysOf(b.merchant) : undefined)).statusCode, method).toBe(403)
      expect((await o.test.request(method, url, null, method === 'PUT' ? o.keysOf(b.merchant) : undefined)).statusCode, method).toBe(401)
    }
    const free = await o.test.signUp()
    const ownFree = await o.billing.addOwnBusiness(free, 'Free Yard')
    const refused = await o.connect({ owner: free, id: ownFree.id }, o.paypal.addMerchant())
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'plan_limit'])
    const shown = await o.newBusiness('Shown Yard')
    await o.test.db.updateTable('businesses').set({ is_demo: true }).where('id', '=', shown.id).execute()
    expect((await o.connect(shown, o.paypal.addMerchant())).statusCode).toBe(403)
  })

  it('keeps the secret out of rows, responses, jobs, emails, and logs', async () => {
    const secret = a.merchant.clientSecret
    const { body } = await o.test.request('GET', o.accountsUrl(a.id), a.owner)
    expect(body).not.toContain(secret)
    expect(body).not.toContain(a.merchant.clientId)
    const offer = await o.test.request('GET', `/api/businesses/${a.id}/subscription-offer`)
    expect(offer.body).toContain(a.merchant.clientId)
    const { rows } = await sql<{ text: string }>`
      select string_agg(t::text, '') as text from (
        select to_jsonb(accounts) as t from business_payment_accounts accounts
        union all select to_jsonb(audit_log) from audit_log
        union all select to_jsonb(idempotency_keys) from idempotency_keys) t`.execute(o.test.db)
    const outbox = path.join(o.test.dataDir, 'outbox')
    const mails = fs.existsSync(outbox) ? fs.readdirSync(outbox).map((file) => fs.readFileSync(path.join(outbox, file), 'utf8')) : []
    const all = [offer.body, rows[0]?.text, ...mails, ...o.logged, JSON.stringify((o.test.ctx.jobs as MemoryJobs).waiting)].join('\n')
    expect(all).toContain(a.accountId)
    for (const hidden of [secret, b.merchant.clientSecret, Buffer.from(secret).toString('base64')]) expect(all).not.toContain(hidden)
  })

  it('offers nothing that the server refuses once the plan has ended', async () => {
    const yard = await o.newYard('Lapsed Yard')
    await o.test.db.updateTable('agreements').set({ entitled_until: o.test.clock.now() }).where('business_id', '=', yard.id).execute()
    const addInvoices = await o.test.request('PUT', `${o.accountsUrl(yard.id)}/invoice`, yard.owner, {
      instructions: 'To account 7.',
      password: yard.owner.password,
    })
    expect([addInvoices.statusCode, (await o.accounts(yard)).mayConnect]).toEqual([409, false])
    expect((await o.connect(yard, yard.merchant)).statusCode).toBe(200)
  })

  it('encrypts a key so that it’s useless in another row', async () => {
    const victim = await o.newYard('Victim Yard')
    const thief = await o.newYard('Thief Yard')
    const { sealed_secret } = await o.rowOf(victim.id)
    await o.test.db.updateTable('business_payment_accounts').set({ sealed_secret }).where('id', '=', thief.accountId).execute()
    await o.runJob('billing.check-accounts')
    expect((await o.accounts(thief)).paypal?.state).toBe('unreadable')
    expect((await o.offerOf(thief.id)).providers).toEqual([])
    expect((await o.connect(thief, thief.merchant)).statusCode).toBe(200)
    expect((await o.accounts(thief)).paypal?.state).toBe('working')
  })

  it('ends with one account and one webhook, wherever the server is killed', async () => {
    const ownerOf = ({ user }: TestPerson) => actorOf(user.id, { userType: 'business' })
    for (let point = 1; ; point++) {
      const business = await o.newBusiness(`Crash Yard ${point}`)
      const merchant = o.paypal.addMerchant()
      const crashing = crashAt(o.test.ctx, point)
      const isDone = await connectAccount(crashing.ctx, ownerOf(business.owner), business.id, 'paypal', o.keysOf(merchant)).then(
        () => true,
        isCrash,
      )
      const rows = () => o.test.db.selectFrom('business_payment_accounts').selectAll().where('business_id', '=', business.id).execute()
      const before = await rows()
      expect(before.length).toBeLessThanOrEqual(1)
      if (before.length === 1) expect(merchant.webhooks.map(({ id }) => id)).toEqual([before[0]?.webhook_id])
      expect((await o.connect(business, merchant)).statusCode).toBe(200)
      expect((await rows()).map(({ webhook_id }) => webhook_id)).toEqual(merchant.webhooks.map(({ id }) => id))
      expect(merchant.webhooks).toHaveLength(1)
      if (isDone && crashing.steps() < point) {
        expect(point).toBeGreaterThan(12)
        break
      }
    }
    expect(await findAuditBreak(o.test.db)).toBeNull()
  })
})

describe('a failing account', () => {
  it('affects no other account, is reported to its owner once, and recovers when reconnected', async () => {
    const [ill, well] = [await o.newYard('Ill Yard'), await o.newYard('Well Yard')]
    const [payer, other] = [await o.buy(ill), await o.buy(well)]
    const oldSecret = ill.merchant.clientSecret
    ill.merchant.clientSecret = 'changed-at-paypal-by-its-owner'
    o.paypal.pay(other.subscriptionId, o.test.clock.now())
    await o.runJob('billing.reconcile')
    await o.runJob('billing.check-accounts')
    await o.runJob('billing.check-accounts')
    expect((await o.accounts(ill)).paypal).toMatchObject({ state: 'refused', failingSince: expect.any(String), payingCount: 1 })
    expect((await o.accounts(well)).paypal).toMatchObject({ state: 'working', failingSince: null })
    const payments = await o.billing.call<object[]>(other.person, 'GET', '/api/billing/payments')
    expect(payments).toHaveLength(2)
    expect((await o.ownAgreements(payer.person))[0]?.status).toBe('active')
    // New buyers are refused; everything else continues.
    const refused = await o.test.request('POST', '/api/billing/checkouts', await o.test.signUp(), {
      provider: 'paypal',
      subscribeTo: ill.id,
    })
    expect(refused.statusCode).toBe(409)
    await o.buy(well)
    const outbox = path.join(o.test.dataDir, 'outbox')
    const mails = fs
      .readdirSync(outbox)
      .map((file) => fs.readFileSync(path.join(outbox, file), 'utf8'))
      .filter((mail) => mail.includes('your payment account needs attention'))
    expect(mails.filter((mail) => mail.includes(ill.owner.email))).toHaveLength(1)
    expect(mails.join('').replaceAll('=\r\n', '')).toMatch(new RegExp(`business-dashboard\\?business=(3D)?${ill.id}&tab=`))
    expect(mails.filter((mail) => !mail.includes(ill.owner.email) && mail.includes(well.owner.email))).toEqual([])
    expect(mails.join('')).not.toMatch(/cannabis|dispensary|Ill Yard|changed-at-paypal/i)
    expect(oldSecret).not.toBe(ill.merchant.clientSecret)
    // A payer who cancels sees that PayPal has not confirmed yet.
    const end = () => o.billing.call<Agreement>(payer.person, 'POST', `/api/billing/agreements/${payer.agreement.id}/cancellation`)
    expect(await end()).toMatchObject({ status: 'canceled', mayStillCharge: true })
    await expect(o.test.runJobs()).rejects.toThrow("PayPal doesn't recognize these keys")
    expect((await o.connect(ill, ill.merchant)).json()).toMatchObject({ paypal: { state: 'working', failingSince: null } })
    await o.buy(ill)
    await o.runJob('billing.reconcile')
    expect((await o.ownAgreements(payer.person))[0]).toMatchObject({ status: 'canceled', mayStillCharge: false })
    expect(o.paypal.requests).toContain(`POST /v1/billing/subscriptions/${payer.subscriptionId}/suspend`)
  })

  it('is marked as silent only during an outage, without affecting other accounts', async () => {
    const [ill, well] = [await o.newYard('Silent Yard'), await o.newYard('Talking Yard')]
    const payer = await o.buy(ill)
    ill.merchant.isDown = true
    await o.runJob('billing.reconcile')
    await o.runJob('billing.check-accounts')
    expect((await o.accounts(ill)).paypal?.state).toBe('silent')
    expect((await o.ownAgreements(payer.person))[0]?.status).toBe('active')
    await o.buy(well)
    ill.merchant.isDown = false
    o.test.clock.advance({ minutes: 2 })
    await o.runJob('billing.check-accounts')
    expect((await o.accounts(ill)).paypal?.state).toBe('working')
  }, 30_000)
})

describe('a former owner’s account', () => {
  it('accepts no new payments but keeps running agreements', async () => {
    const yard = await o.newYard('Sold Yard')
    const payer = await o.buy(yard)
    const buyer = await o.test.signUp()
    await joinBusiness(o.test.db, buyer.user.id, yard.id, 'staff')
    expect(
      (await o.test.request('POST', `/api/businesses/${yard.id}/team/transfer`, yard.owner, { userId: buyer.user.id })).statusCode,
    ).toBe(200)
    expect((await o.offerOf(yard.id)).providers).toEqual([])
    const sold = { ...yard, owner: buyer }
    expect((await o.accounts(sold)).paypal?.state).toBe('former_owner')
    const own = o.paypal.addMerchant()
    const after = (await o.connect(sold, own)).json() as PaymentAccounts
    expect(after).toMatchObject({ paypal: { state: 'working', payingCount: 0 }, former: [{ provider: 'paypal', payingCount: 1 }] })
    expect(o.paypalOf(await o.begin(sold, await o.test.signUp())).clientId).toBe(own.clientId)
    // An existing payer's purchase continues, and is checked in the account that they pay into.
    await o.runJob('billing.reconcile')
    expect((await o.ownAgreements(payer.person))[0]?.status).toBe('active')
  })
})

describe('disconnecting an account', () => {
  it('stops new payers, keeps running agreements, and erases the key when it is no longer used', async () => {
    const yard = await o.newYard('Leaving Yard')
    const { person, agreement, subscriptionId } = await o.buy(yard)
    const remove = () => o.test.request('DELETE', `${o.accountsUrl(yard.id)}/paypal`, yard.owner)
    const answer = await remove()
    expect(answer.json()).toMatchObject({ paypal: null, former: [{ provider: 'paypal', payingCount: 1 }] })
    expect((await remove()).json()).toEqual(answer.json())
    expect((await o.offerOf(yard.id)).providers).toEqual([])
    const refused = await o.test.request('POST', '/api/billing/checkouts', await o.test.signUp(), {
      provider: 'paypal',
      subscribeTo: yard.id,
    })
    expect(refused.statusCode).toBe(409)
    o.test.clock.advance({ days: 31 })
    o.paypal.pay(subscriptionId, o.test.clock.now())
    const renewed = o.paypal.message('PAYMENT.SALE.COMPLETED', subscriptionId, { sale: true, webhookId: yard.webhookId })
    expect(await o.deliver(renewed, yard.accountId)).toBe(204)
    await o.test.runJobs()
    expect(await o.billing.call<object[]>(person, 'GET', '/api/billing/payments')).toHaveLength(2)
    await o.runJob('billing.check-accounts')
    const row = () =>
      o.test.db.selectFrom('business_payment_accounts').selectAll().where('id', '=', yard.accountId).executeTakeFirstOrThrow()
    expect((await row()).sealed_secret).not.toBeNull()
    await o.billing.call(person, 'POST', `/api/billing/agreements/${agreement.id}/cancellation`)
    await o.test.runJobs()
    o.test.clock.advance({ days: 35 })
    await o.runJob('billing.expire')
    await o.runJob('billing.check-accounts')
    expect(await row()).toMatchObject({ sealed_secret: null, webhook_id: yard.webhookId })
    expect(yard.merchant.webhooks).toEqual([])
    expect(await o.accounts(yard)).toMatchObject({ paypal: null, former: [] })
    expect(await o.deliver(renewed, yard.accountId)).toBe(404)
    expect((await o.connect(yard, yard.merchant)).json().paypal.state).toBe('working')
  })
})

describe('a deleted business', () => {
  it('stops receiving payments', async () => {
    const yard = await o.newYard('Gone Yard')
    const { subscriptionId, person } = await o.buy(yard)
    await o.test.db.deleteFrom('businesses').where('id', '=', yard.id).execute()
    await o.runJob('billing.reconcile')
    expect((await o.ownAgreements(person))[0]?.status).toBe('canceled')
    const row = await o.test.db
      .selectFrom('business_payment_accounts')
      .selectAll()
      .where('id', '=', yard.accountId)
      .executeTakeFirstOrThrow()
    const provider = o.test.ctx.payments
      .accountsAt('paypal')
      .ofAccount({ ...o.keysOf(yard.merchant), id: row.id, webhookId: row.webhook_id as string })
    expect((await provider.fetchSubscription(subscriptionId))?.state).toBe('closed')
  })
})
