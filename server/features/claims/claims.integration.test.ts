import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Claim, ClaimOptions, WaitingClaim } from '#contracts/claims.ts'
import { findAuditBreak } from '#server/features/audit/index.ts'
import { newId } from '#server/kernel/ids.ts'
import { addListing } from '#tests/support/listings.ts'
import { latestMailTo, mailsTo } from '#tests/support/mailbox.ts'
import { giveRole } from '#tests/support/roles.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let t: TestApp
let claimant: TestPerson
let rival: TestPerson
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

beforeEach(async () => {
  claimant = await t.signUp()
  rival = await t.signUp()
  listing = await addListing(t.db)
})

const open = (as: TestPerson | null, body: object) => t.request('POST', '/api/claims', as, { businessId: listing.id, ...body })
const byMail = (as: TestPerson, email = `${as.user.id}@example.com`) => open(as, { method: 'email', email })
const enter = (as: TestPerson | null, claim: Claim, code: string) => t.request('POST', `/api/claims/${claim.id}/code`, as, { code })
const waiting = async (as = moderator) => (await t.request('GET', '/api/claims/waiting?limit=100', as)).json() as WaitingClaim[]
const options = async (as = claimant) => (await t.request('GET', `/api/businesses/${listing.slug}/claim`, as)).json() as ClaimOptions
const codeIn = async (email: string) => /\b\d{6}\b/.exec((await latestMailTo(t, email)).text)?.[0] as string
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

async function ownersNow(): Promise<string[]> {
  const rows = await t.db.selectFrom('business_members').select(['user_id', 'role']).where('business_id', '=', listing.id).execute()
  expect(rows.every(({ role }) => role === 'owner')).toBe(true)
  return rows.map(({ user_id }) => user_id)
}

describe('a claim by email', () => {
  it('makes the person who enters the emailed code the owner', async () => {
    expect(await options()).toMatchObject({ emailDomains: ['example.com'], phone: '(303) 555-0100', isOwned: false, claim: null })
    await t.request('PUT', `/api/businesses/${listing.id}/rating`, claimant, { rating: 5 })
    const email = `office-${listing.slug}@mail.example.com`
    const opened = await byMail(claimant, email)
    expect(opened.statusCode, opened.body).toBe(201)
    const claim = opened.json() as Claim
    expect(claim).toMatchObject({ status: 'open', email, attemptsLeft: 5, canResend: true, isCodeExpired: false })
    const code = await codeIn(email)
    expect((await latestMailTo(t, email)).subject).toBe('Sungrove: your code to claim a business')
    const stored = await t.db.selectFrom('claims').selectAll().where('id', '=', claim.id).executeTakeFirstOrThrow()
    expect(JSON.stringify(stored)).not.toContain(code)

    const approved = await enter(claimant, claim, code)
    expect(approved.json()).toMatchObject({ id: claim.id, status: 'approved' })
    expect((await enter(claimant, claim, code)).json()).toMatchObject({ status: 'approved' })
    expect(await ownersNow()).toEqual([claimant.user.id])
    await t.runJobs()
    expect((await t.request('GET', `/api/businesses/${listing.id}`)).json()).toMatchObject({ isClaimed: true, totalRatings: 0 })
    expect((await latestMailTo(t, claimant.email)).subject).toBe('Sungrove: your claim was approved')
    const log = await t.db
      .selectFrom('audit_log')
      .select(['action', 'actor_id'])
      .where('business_id', '=', listing.id)
      .orderBy('sequence')
      .execute()
    expect(log.map(({ action }) => action)).toEqual(['claim.opened', 'claim.approved'])
  })

  it('accepts only an address on the website in the register', async () => {
    for (const email of ['me@gmail.com', 'me@example.org', 'me@example.com.evil.org']) {
      const refused = await byMail(claimant, email)
      expect(refused.statusCode).toBe(400)
      expect(refused.json().fields.email).toBe('Enter an address at example.com')
    }
    // A website that is on the page but not in the register is unverified.
    await t.db.updateTable('businesses').set({ website: 'https://evil.org' }).where('id', '=', listing.id).execute()
    expect((await byMail(claimant, 'me@evil.org')).statusCode).toBe(400)
    expect((await options()).emailDomains).toEqual(['example.com'])
    for (const website of [
      null,
      'https://www.facebook.com/shop',
      'https://weedmaps.com/dispensaries/shop',
      'https://shop.wixsite.com/menu',
    ]) {
      listing = await addListing(t.db, { website })
      expect((await options()).emailDomains).toEqual([])
      expect((await byMail(claimant, 'me@facebook.com')).statusCode).toBe(409)
    }
    expect(await mailsTo(t, 'me@evil.org')).toEqual([])
  })

  it('can be seen, confirmed, resent, and withdrawn only by its claimant', async () => {
    const claim = (await byMail(claimant)).json() as Claim
    const code = await codeIn(`${claimant.user.id}@example.com`)
    expect((await enter(rival, claim, code)).statusCode).toBe(404)
    expect((await enter(null, claim, code)).statusCode).toBe(401)
    expect((await t.request('POST', `/api/claims/${claim.id}/resend`, rival)).statusCode).toBe(404)
    expect((await t.request('DELETE', `/api/claims/${claim.id}`, rival)).statusCode).toBe(404)
    expect((await options(rival)).claim).toBeNull()
    expect((await waiting()).map(({ id }) => id)).not.toContain(claim.id)
    expect((await t.request('POST', `/api/claims/${claim.id}/approve`, moderator)).statusCode).toBe(404)
    expect(await ownersNow()).toEqual([])
  })

  it('is closed after five wrong codes, even if 100 are sent at once', async () => {
    const claim = (await byMail(claimant)).json() as Claim
    const code = await codeIn(`${claimant.user.id}@example.com`)
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) => enter(claimant, claim, String((Number(code) + 1 + i) % 1_000_000).padStart(6, '0'))),
    )
    const counts = new Map<string, number>()
    for (const { statusCode, body } of answers) {
      const key = `${statusCode} ${JSON.parse(body).message.slice(0, 24)}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    expect([...counts].filter(([key]) => key.startsWith('400')).reduce((sum, [, count]) => sum + count, 0)).toBe(4)
    expect(counts.get('409 The code was wrong five ')).toBe(96)
    expect((await options()).claim).toMatchObject({ status: 'closed', closedBecause: 'attempts', attemptsLeft: 0 })
    expect((await enter(claimant, claim, code)).statusCode).toBe(409)
    expect(await ownersNow()).toEqual([])
  })

  it('reports the remaining tries and rejects malformed codes', async () => {
    const claim = (await byMail(claimant)).json() as Claim
    const code = await codeIn(`${claimant.user.id}@example.com`)
    expect((await enter(claimant, claim, '12 34')).json().fields).toEqual({ code: 'Enter the 6-digit code' })
    expect((await enter(claimant, claim, wrong(code))).json().fields).toEqual({ code: 'This isn’t the code. 4 tries are left.' })
    expect((await enter(claimant, claim, code)).statusCode).toBe(200)
  })

  it('accepts a code for 15 minutes or until another is sent', async () => {
    const email = `${claimant.user.id}@example.com`
    const claim = (await byMail(claimant)).json() as Claim
    const first = await codeIn(email)
    const before = t.clock.now()
    try {
      t.clock.advance({ minutes: 15, seconds: 1 })
      expect((await enter(claimant, claim, first)).statusCode).toBe(409)
      expect((await options()).claim).toMatchObject({ isCodeExpired: true, canResend: true })
      expect((await t.request('POST', `/api/claims/${claim.id}/resend`, claimant)).json()).toMatchObject({ isCodeExpired: false })
      const second = await codeIn(email)
      expect(second).not.toBe(first)
      expect((await enter(claimant, claim, first)).statusCode).toBe(400)
      expect((await t.request('POST', `/api/claims/${claim.id}/resend`, claimant)).json()).toMatchObject({
        canResend: false,
        attemptsLeft: 4,
      })
      expect((await t.request('POST', `/api/claims/${claim.id}/resend`, claimant)).statusCode).toBe(409)
      expect((await enter(claimant, claim, await codeIn(email))).statusCode).toBe(200)
    } finally {
      t.clock.set(before)
    }
  })

  it('is opened only once when requested repeatedly, and sends one email', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => byMail(claimant)))
    expect(new Set(answers.map((answer) => answer.json().id)).size).toBe(1)
    expect(await mailsTo(t, `${claimant.user.id}@example.com`)).toHaveLength(1)
    const other = (await open(claimant, { method: 'phone' })).json() as Claim
    expect(other.method).toBe('phone')
    const rows = await t.db.selectFrom('claims').select('status').where('user_id', '=', claimant.user.id).execute()
    expect(rows.map(({ status }) => status).sort()).toEqual(['closed', 'open'])
    expect((await t.request('DELETE', `/api/claims/${other.id}`, claimant)).statusCode).toBe(204)
    expect((await t.request('DELETE', `/api/claims/${other.id}`, claimant)).statusCode).toBe(204)
    expect((await options()).claim).toMatchObject({ closedBecause: 'withdrawn' })
  })

  it('is limited to five a day per account and ten per listing, but a review can still be requested', async () => {
    const tries = async (as: TestPerson, count: number) => {
      const statuses: number[] = []
      for (let i = 0; i < count; i++) statuses.push((await byMail(as, `try-${i}-${as.user.id}@example.com`)).statusCode)
      return statuses
    }
    expect(await tries(claimant, 6)).toEqual([201, 201, 201, 201, 201, 429])
    expect(await tries(rival, 5)).toEqual(Array(5).fill(201))
    const third = await t.signUp()
    expect((await byMail(third)).statusCode).toBe(429)
    expect((await open(third, { method: 'review', statement: 'I own it' })).statusCode).toBe(201)
  })

  it('is limited to five a day per account, even concurrently across listings', async () => {
    const listings = await Promise.all(Array.from({ length: 12 }, () => addListing(t.db)))
    const answers = await Promise.all(
      listings.map(({ id }) => t.request('POST', '/api/claims', claimant, { businessId: id, method: 'phone' })),
    )
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([...Array(5).fill(201), ...Array(7).fill(429)])
  })

  it('doesn’t count toward the address’s limit if no email is sent there', async () => {
    const consumed: string[] = []
    const { consume } = t.ctx.rateLimiter
    t.ctx.rateLimiter.consume = async (allowance, key) => void (allowance === 'mail-email' && consumed.push(key))
    try {
      expect((await byMail(claimant, 'victim@example.org')).statusCode).toBe(400)
      expect(consumed).toEqual([])
      expect((await byMail(claimant)).statusCode).toBe(201)
      expect(consumed).toHaveLength(1)
    } finally {
      t.ctx.rateLimiter.consume = consume
    }
  })
})

describe('a claim by phone', () => {
  it('is confirmed by the code a moderator reads out', async () => {
    const claim = (await open(claimant, { method: 'phone' })).json() as Claim
    expect(claim).toMatchObject({ method: 'phone', phone: '(303) 555-0100', canResend: false })
    expect(JSON.stringify(claim)).not.toMatch(/"\d{6}"/)
    const waits = (await waiting()).find(({ id }) => id === claim.id)
    expect(waits).toMatchObject({
      phone: '(303) 555-0100',
      code: expect.stringMatching(/^\d{6}$/),
      business: { slug: listing.slug },
      owner: null,
    })
    expect(waits?.licenses).toHaveLength(1)
    expect(JSON.stringify(waits)).not.toContain(claimant.email)
    expect((await enter(claimant, claim, wrong(waits?.code as string))).statusCode).toBe(400)
    expect((await enter(claimant, claim, waits?.code as string)).json()).toMatchObject({ status: 'approved' })
    expect(await ownersNow()).toEqual([claimant.user.id])
    expect((await waiting()).map(({ id }) => id)).not.toContain(claim.id)
  })

  it('expires after seven days', async () => {
    const claim = (await open(claimant, { method: 'phone' })).json() as Claim
    const code = (await waiting()).find(({ id }) => id === claim.id)?.code as string
    const before = t.clock.now()
    try {
      t.clock.advance({ days: 7, seconds: 1 })
      expect((await waiting()).map(({ id }) => id)).not.toContain(claim.id)
      const refused = await enter(claimant, claim, code)
      expect([refused.statusCode, refused.json().message]).toEqual([409, 'This code has expired, and the claim is closed. Start again.'])
      expect((await options()).claim).toMatchObject({ closedBecause: 'expired' })
    } finally {
      t.clock.set(before)
    }
  })

  it('requires a phone number in the register', async () => {
    listing = await addListing(t.db, { phone: null })
    await t.db.updateTable('businesses').set({ phone: '(303) 555-0199' }).where('id', '=', listing.id).execute()
    expect((await open(claimant, { method: 'phone' })).statusCode).toBe(409)
  })
})

describe('a claim by review', () => {
  const review = (as: TestPerson, statement = 'The license hangs in my office.') => open(as, { method: 'review', statement })

  it('can be listed and decided only by moderators', async () => {
    const claim = (await review(claimant)).json() as Claim
    for (const [person, status] of [
      [null, 401],
      [claimant, 403],
      [rival, 403],
    ] as const) {
      expect((await t.request('GET', '/api/claims/waiting', person)).statusCode).toBe(status)
      expect((await t.request('POST', `/api/claims/${claim.id}/approve`, person)).statusCode).toBe(status)
      expect((await t.request('POST', `/api/claims/${claim.id}/reject`, person, { reason: 'No' })).statusCode).toBe(status)
    }
    expect((await waiting()).find(({ id }) => id === claim.id)).toMatchObject({ statement: 'The license hangs in my office.', code: null })
    expect((await t.request('POST', `/api/claims/${claim.id}/approve`, moderator)).statusCode).toBe(204)
    expect((await t.request('POST', `/api/claims/${claim.id}/approve`, moderator)).statusCode).toBe(204)
    expect(await ownersNow()).toEqual([claimant.user.id])
    expect((await t.request('POST', `/api/claims/${claim.id}/reject`, moderator, { reason: 'No' })).statusCode).toBe(409)
  })

  it('is never decided by its claimant', async () => {
    const own = (await review(moderator)).json() as Claim
    expect((await waiting()).map(({ id }) => id)).not.toContain(own.id)
    for (const decision of ['approve', 'reject']) {
      expect((await t.request('POST', `/api/claims/${own.id}/${decision}`, moderator, { reason: 'Mine' })).statusCode).toBe(403)
    }
    const called = (await open(moderator, { method: 'phone' })).json() as Claim
    expect(JSON.stringify(await waiting())).not.toContain(called.id)
  })

  it('is refused with a reason, which is sent to the claimant', async () => {
    const claim = (await review(claimant)).json() as Claim
    expect((await t.request('POST', `/api/claims/${claim.id}/reject`, moderator, { reason: ' ' })).statusCode).toBe(400)
    expect((await t.request('POST', `/api/claims/${claim.id}/reject`, moderator, { reason: 'The license is another’s.' })).statusCode).toBe(
      204,
    )
    expect((await options()).claim).toMatchObject({ status: 'rejected', reason: 'The license is another’s.' })
    expect((await latestMailTo(t, claimant.email)).text).toContain('“The license is another’s.”')
    expect((await t.request('POST', `/api/claims/${claim.id}/approve`, moderator)).statusCode).toBe(409)
    expect((await review(claimant, 'Here is more.')).statusCode).toBe(201)
  })

  it('can include a document, visible to moderators until the decision', async () => {
    const documentOf = async (person: TestPerson, kind: 'document' | 'image') => {
      const id = newId()
      const file = { id, owner_id: person.user.id, kind, status: 'ready' as const, byte_size: 10, received_bytes: 10 }
      await t.db
        .insertInto('media')
        .values({ ...file, width: 612, height: 792, widths: kind === 'image' ? [612] : [], extension: 'pdf', page_count: 2 })
        .execute()
      return id
    }
    const own = await documentOf(claimant, 'document')
    const showing = (documentId: string) => open(claimant, { method: 'review', statement: 'See the license', documentId })
    for (const other of [await documentOf(rival, 'document'), await documentOf(claimant, 'image'), newId()]) {
      expect((await showing(other)).json().fields).toHaveProperty('documentId')
    }
    const claim = (await showing(own)).json() as Claim
    expect((await showing(own)).json().id).toBe(claim.id)
    expect(await t.db.selectFrom('media_uses').select(['kind', 'claim_id']).where('media_id', '=', own).execute()).toEqual([
      { kind: 'claim', claim_id: claim.id },
    ])
    expect((await waiting()).find(({ id }) => id === claim.id)?.document).toMatchObject({ id: own, pageCount: 2 })
    await t.ctx.storage.put(`media/${own}/document.pdf`, Buffer.from('a license'), 'application/pdf')
    const statuses = () =>
      Promise.all([moderator, rival, null].map(async (person) => (await t.request('GET', `/media/${own}/document.pdf`, person)).statusCode))
    expect(await statuses()).toEqual([200, 404, 404])
    await t.request('POST', `/api/claims/${claim.id}/reject`, moderator, { reason: 'Not readable' })
    expect(await t.db.selectFrom('media_uses').select('kind').where('media_id', '=', own).execute()).toEqual([])
    expect(await statuses()).toEqual([404, 404, 404])
  })

  it('is listed once across all pages, oldest first', async () => {
    const ids: string[] = []
    for (let i = 0; i < 5; i++) {
      listing = await addListing(t.db)
      ids.push(((await review(i % 2 ? claimant : rival)).json() as Claim).id)
    }
    const seen: string[] = []
    for (let url: string | undefined = '/api/claims/waiting?limit=2'; url; ) {
      const page = await t.request('GET', url, moderator)
      seen.push(...(page.json() as WaitingClaim[]).map(({ id }) => id))
      url = /<([^>]+)>/.exec(String(page.headers.link ?? ''))?.[1]
    }
    expect(seen.filter((id) => ids.includes(id))).toEqual(ids)
    expect(new Set(seen).size).toBe(seen.length)
  })
})

describe('claiming a business', () => {
  it('succeeds for only one of two claims approved concurrently, and closes the other', async () => {
    for (let round = 0; round < 3; round++) {
      listing = await addListing(t.db)
      claimant = await t.signUp()
      rival = await t.signUp()
      const mailed = (await byMail(claimant)).json() as Claim
      const code = await codeIn(`${claimant.user.id}@example.com`)
      const asked = (await open(rival, { method: 'review', statement: 'Mine' })).json() as Claim
      const answers = await Promise.all([enter(claimant, mailed, code), t.request('POST', `/api/claims/${asked.id}/approve`, moderator)])
      const won = answers.map(({ statusCode }) => statusCode < 300)
      expect(won.filter(Boolean)).toHaveLength(1)
      expect(answers.map(({ statusCode }) => statusCode).filter((status) => status === 409)).toHaveLength(1)
      expect(await ownersNow()).toEqual([won[0] ? claimant.user.id : rival.user.id])
      const loser = won[0] ? rival : claimant
      expect((await options(loser)).claim).toMatchObject({ status: 'closed', closedBecause: 'claimed' })
      expect((await latestMailTo(t, loser.email)).text).toContain('Someone else has proven')
    }
  })

  it('is refused for a demo business, and for a demo account', async () => {
    await t.db.updateTable('users').set({ is_demo: true }).where('id', '=', rival.user.id).execute()
    expect((await open(rival, { method: 'review', statement: 'Mine' })).statusCode).toBe(403)
    await t.db.updateTable('businesses').set({ is_demo: true }).where('id', '=', listing.id).execute()
    expect((await open(claimant, { method: 'review', statement: 'Mine' })).statusCode).toBe(409)
    expect(await options()).toMatchObject({ isClosed: true, emailDomains: [] })
    expect((await open(null, { method: 'phone' })).statusCode).toBe(401)
    expect((await t.request('POST', '/api/claims', claimant, { method: 'phone', businessId: newId() })).statusCode).toBe(404)
  })

  it('completes the claimant’s onboarding', async () => {
    const registration = {
      email: `new-${listing.slug}@example.com`,
      password: 'seven green terraces at dawn',
      firstName: 'New',
      lastName: 'Owner',
    }
    const registered = await t.request('POST', '/api/register', null, {
      ...registration,
      birthday: '1990-04-01',
      accountType: 'business',
      businessType: 'farm',
    })
    const cookie = registered.cookies
      .filter(({ name }) => name !== 'written')
      .map(({ name, value }) => `${name}=${encodeURIComponent(value)}`)
      .join('; ')
    const newcomer = { ...claimant, cookie }
    expect((await open(newcomer, { method: 'phone' })).statusCode).toBe(201)
    expect((await t.request('GET', '/api/auth/user', newcomer)).json()).toMatchObject({
      hasCompletedOnboarding: true,
      userType: 'business',
    })
  })
})
