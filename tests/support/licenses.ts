import type { Insertable } from 'kysely'
import type { Business } from '#contracts/businesses.ts'
import type { Claim } from '#contracts/claims.ts'
import { licenseDay } from '#contracts/time.ts'
import type { LicenseState, Verification } from '#contracts/verification.ts'
import type { DB } from '#server/db/connect.ts'
import { nameKey } from '#server/kernel/fold-text.ts'
import { newId } from '#server/kernel/ids.ts'
import type { Mail } from '#server/kernel/mail.ts'
import { documentWithSecrets } from './documents.ts'
import { giveRole } from './roles.ts'
import type { TestApp, TestPerson } from './test-app.ts'
import { uploadsOf } from './uploads.ts'

export type Shop = Business & { owner: TestPerson }
export type TestLicense = { id: string; number: string; name: string; domain: string }

let count = 0
export const nextNumber = (): number => ++count

/** A register, shops and moderators on a test's own server, with captured email. */
export async function licensesOf(test: TestApp) {
  const uploads = uploadsOf(test)
  const mails: Mail[] = []
  test.ctx.mail.send = async (mail) => void mails.push(mail)
  const importId = newId()
  await test.db.insertInto('license_imports').values({ id: importId, source: 'test', started_at: test.clock.now() }).execute()

  const ask = (shop: Shop, body: object, as: TestPerson | null = shop.owner) =>
    test.request('POST', `/api/businesses/${shop.slug}/verification`, as, body)
  const stateOf = async (shop: Shop) =>
    (await test.request('GET', `/api/businesses/${shop.slug}/verification`, shop.owner)).json() as LicenseState
  const prove = (verification: Pick<Verification, 'id'>, as: TestPerson, body: object) =>
    test.request('POST', `/api/verifications/${verification.id}/proof`, as, body)
  const enter = (claim: Pick<Claim, 'id'>, as: TestPerson, code: string) =>
    test.request('POST', `/api/claims/${claim.id}/code`, as, { code })
  const codeFor = async (email: string): Promise<string> => {
    await test.runJobs()
    const mail = mails.findLast(({ to }) => to === email)
    return /\b\d{6}\b/.exec(mail?.text ?? '')?.[0] ?? ''
  }

  return {
    async withRole(role: 'moderator' | 'admin'): Promise<TestPerson> {
      const person = await test.signUp()
      await giveRole(test, person, role)
      return person
    },

    async addLicense(given: Omit<Partial<Insertable<DB['licenses']>>, 'license_number'> = {}): Promise<TestLicense> {
      const key = nextNumber()
      const number = `402R-${String(key).padStart(5, '0')}`
      const business_name = given.business_name ?? `Green Door ${key}`
      const row = {
        id: newId(),
        register_key: `test:${key}`,
        name_key: nameKey(business_name),
        state: 'CO',
        license_number: number,
        license_number_key: number.replace('-', ''),
        business_name,
        business_type: 'dispensary' as const,
        standing: 'listed' as const,
        authority: 'Colorado Marijuana Enforcement Division',
        source: 'Public register',
        source_date: '2026-09-01',
        website: `https://www.green-door-${key}.com`,
        content_hash: 'x',
        last_import_id: importId,
        ...given,
      }
      await test.db.insertInto('licenses').values(row).execute()
      return { id: row.id, number, name: business_name, domain: `green-door-${key}.com` }
    },

    async addShop(owner?: TestPerson): Promise<Shop> {
      const person = owner ?? (await test.signUp())
      const business = { businessName: `Shop ${nextNumber()}`, businessType: 'dispensary', location: 'Denver, CO' }
      const answer = await test.request('POST', '/api/businesses', person, business)
      return { ...(answer.json() as Business), owner: person }
    },

    addMember: (shop: Shop, { user }: TestPerson, role: 'manager' | 'staff') =>
      test.db.insertInto('business_members').values({ business_id: shop.id, user_id: user.id, role }).execute(),

    ask,
    prove,
    enter,
    codeFor,
    /** Verifies a license with a code emailed to an address at the domain of the license's website. */
    async verify(shop: Shop, license: TestLicense, more: object = {}): Promise<Verification> {
      const answer = await ask(shop, statementOf(license, more))
      const request = answer.json() as Verification
      if (answer.statusCode !== 201) throw new Error(answer.body)
      if (request.status === 'verified') return request
      const email = `office-${nextNumber()}@${license.domain}`
      const claim = (await prove(request, shop.owner, { method: 'email', email })).json() as Claim
      const entered = await enter(claim, shop.owner, await codeFor(email))
      if (entered.statusCode !== 200) throw new Error(entered.body)
      return (await stateOf(shop)).history.find(({ id }) => id === request.id) as Verification
    },
    decide: (verification: Pick<Verification, 'id'>, as: TestPerson, verb: 'approve' | 'reject' = 'approve') =>
      test.request('POST', `/api/verifications/${verification.id}/${verb}`, as, verb === 'reject' ? { reason: 'Unreadable' } : undefined),
    stateOf,
    publicOf: async (shop: Shop) => (await test.request('GET', `/api/businesses/${shop.id}`, null)).json() as Business,
    upload: async (as: TestPerson) => (await uploads.upload(as, await documentWithSecrets(), 'application/pdf')).id,
    async recheck() {
      await test.ctx.jobs.enqueue('verification.recheck', {})
      await test.runJobs()
    },
    inDays: (days: number) => licenseDay(new Date(test.clock.now().getTime() + days * 86_400_000)),
    /** Emails to a person, oldest first, except the one that confirms their address. */
    mailsTo: ({ email }: TestPerson) => mails.filter((mail) => mail.to === email && !mail.subject.includes('confirm your email')),
  }
}

export const statementOf = (license: { number: string; name: string }, more: object = {}) => ({
  licenseNumber: license.number,
  state: 'CO',
  licenseName: license.name,
  businessType: 'dispensary',
  ...more,
})
