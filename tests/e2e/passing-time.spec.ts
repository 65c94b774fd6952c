import fs from 'node:fs'
import path from 'node:path'
import { type Browser, test as base, expect, type Page } from '@playwright/test'
import type { Business } from '#contracts/businesses.ts'
import type { Claim } from '#contracts/claims.ts'
import { licenseDay } from '#contracts/time.ts'
import type { Verification } from '#contracts/verification.ts'
import { localTime } from '#server/kernel/time-zones.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { type SeparateServer, startSeparateServer } from '#tests/support/separate-server.ts'
import { expectAccessible } from './accessibility.ts'
import { newBusiness, post, put } from './members.ts'
import { joinByCall, newPerson, type Person } from './people.ts'

// Tests what changes as time passes, on a separate server with an adjustable clock, which the tests use one after another.
base.describe.configure({ mode: 'serial' })

const license = { number: '402R-00077', name: 'Green Door Collective', state: 'CO', website: 'https://www.green-door-collective.com' }
const closedName = 'Blue Gate Wellness'
const test = base.extend<object, { server: SeparateServer }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads which fixtures it names
    async ({}, use) => {
      const server = await startSeparateServer({}, [license])
      await use(server)
      await server.remove()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

const day = 86_400_000
let ahead = 0
const later = (days: number) => new Date(Date.now() + (ahead + days) * day)
/** The date in Denver this many days from now. A business there moves by the local date. */
const denverDate = (inDays = 0) => localTime('America/Denver', later(inDays)).date

async function openAs(browser: Browser, server: SeparateServer, person: Person): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url().replace('127.0.0.1', 'localhost') })
  const page = await context.newPage()
  await joinByCall(page, person)
  return page
}

/** Advances the clock of the server and the page, runs a scheduled job, and signs in again in case the session has expired. */
async function letPass(days: number, server: SeparateServer, job: Parameters<SeparateServer['runJob']>[0], page: Page, person: Person) {
  ahead += days
  server.setAhead(ahead * day)
  await page.clock.setSystemTime(Date.now() + ahead * day)
  await server.runJob(job)
  await post(page, '/api/login', { email: person.email, password: person.password })
}

test('warns a month before a license expires and then shows everyone that it has', async ({ browser, server }) => {
  const owner = newPerson()
  const page = await openAs(browser, server, owner)
  const created = await page.request.post('/api/businesses', {
    data: { businessType: 'dispensary', businessName: license.name, location: 'Denver, CO' },
  })
  const business = (await created.json()) as Business
  const asked = await page.request.post(`/api/businesses/${business.id}/verification`, {
    data: {
      licenseNumber: license.number,
      state: license.state,
      licenseName: license.name,
      businessType: 'dispensary',
      expiresOn: licenseDay(later(40)),
    },
  })
  const { id: requestId } = (await asked.json()) as Verification
  const email = 'office@green-door-collective.com'
  const proof = await page.request.post(`/api/verifications/${requestId}/proof`, { data: { method: 'email', email } })
  const { id: claimId } = (await proof.json()) as Claim
  const code = async () => /Your code is (\d{6})/.exec((await mailsTo(server, email)).join('\n'))?.[1]
  await expect.poll(code).toBeDefined()
  await post(page, `/api/claims/${claimId}/code`, { code: await code() })

  await letPass(10, server, 'verification.recheck', page, owner)
  await page.goto(`/business-dashboard/license?business=${business.slug}`)
  await expect(page.getByRole('heading', { name: 'Your license is verified' })).toBeVisible()
  await expect(page.getByText('Expires in 30 days')).toBeVisible()
  const warning = async () => (await mailsTo(server, owner.email)).some((mail) => /30 days/.test(mail))
  await expect.poll(warning).toBe(true)

  const shopper = await openAs(browser, server, newPerson())
  await shopper.goto(`/business/${business.slug}`)
  await expect(shopper.getByRole('region', { name: 'License', exact: true }).getByText('License verified')).toBeVisible()

  await letPass(31, server, 'verification.recheck', page, owner)
  const visitor = await openAs(browser, server, newPerson())
  await visitor.goto(`/business/${business.slug}`)
  const panel = visitor.getByRole('region', { name: 'License', exact: true })
  await expect(panel.getByText(/License expired on/)).toBeVisible()
  await expect(visitor.getByText('License verified')).toHaveCount(0)
  await expectAccessible(visitor, ['light'])
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Your license has expired' })).toBeVisible()
})

test('keeps canceled Business Tools until they end, and then explains the restored limits', async ({ browser, server }) => {
  const owner = newPerson()
  const page = await openAs(browser, server, owner)
  const business = await newBusiness(page, 'Lapsing Farm')
  const checkout = await page.request.post('/api/billing/checkouts', {
    data: { provider: 'test', planId: 'business_tools', businessId: business.id },
  })
  const { id } = (await checkout.json()) as { id: string }
  const answer = await page.request.post(`/api/billing/test/checkouts/${id}/answers`, { data: { outcome: 'approve' } })
  const approval = await page.request.post(`/api/billing/checkouts/${id}/approval`, { data: (await answer.json()) as object })
  const agreement = (await approval.json()) as { id: string }
  await put(page, `/api/businesses/${business.id}/menu-settings`, { currency: 'USD', taxRate: null, pricesIncludeTax: true })
  const addItem = (name: string) =>
    page.request.post(`/api/businesses/${business.id}/menu-items`, { data: { name, variants: [{ price: '10' }] } })
  for (let i = 1; i <= 6; i++) expect((await addItem(`Row ${i}`)).status()).toBe(201)
  await post(page, `/api/billing/agreements/${agreement.id}/cancellation`)

  await page.goto(`/business-dashboard/menu?business=${business.slug}`)
  await expect(page.getByText('Business Tools Active')).toBeVisible()
  await expect(page.getByText('A free account includes 5 items')).toHaveCount(0)

  await letPass(32, server, 'billing.expire', page, owner)
  await page.reload()
  await expect(page.getByText('Free Account', { exact: true })).toBeVisible()
  await expect(page.getByText('A free account includes 5 items. You can still edit and remove your existing ones.')).toBeVisible()
  const refused = await addItem('Row 7')
  expect([refused.status(), ((await refused.json()) as { code: string }).code]).toEqual([409, 'plan_limit'])
  await expectAccessible(page, ['light'])
  await page.goto('/billing')
  await expect(page.getByRole('article').filter({ hasText: `Business Tools for ${business.name}` })).toContainText('This plan has ended.')
})

test('marks a listing closed once a second member, whose account is a day old, confirms the suggestion', async ({ browser, server }) => {
  const author = await openAs(browser, server, newPerson())
  const listing = await addBusiness(server.database.db, { name: closedName })
  const address = `/business/${listing.slug}`
  await author.goto(address)
  await author.getByRole('region', { name: 'Contact' }).getByRole('button', { name: 'Suggest a change' }).click()
  const dialog = author.getByRole('dialog', { name: 'Suggest a change' })
  await dialog.getByRole('button', { name: 'Send' }).click()
  await expect(dialog.getByText('Choose what changed')).toBeVisible()
  await expectAccessible(author, ['light'])
  await dialog.getByLabel('What changed?').selectOption('It has closed for good')
  await dialog.getByRole('button', { name: 'Send' }).click()
  const changes = author.getByRole('region', { name: 'Suggested changes' })
  await expect(changes).toContainText('You suggested this')

  const person = newPerson()
  const neighbor = await openAs(browser, server, person)
  await neighbor.goto(address)
  await expect(neighbor.getByRole('region', { name: 'Suggested changes' })).toContainText('once your account is a day old')
  await letPass(2, server, 'verification.recheck', neighbor, person)
  await neighbor.reload()
  await neighbor.getByRole('button', { name: 'That’s right (It has closed for good)' }).click()
  await expect(neighbor.getByText(/Permanently closed\. Reported closed by two members on /)).toBeVisible()
  await expect(neighbor.getByRole('region', { name: 'Suggested changes' })).toHaveCount(0)
  await expectAccessible(neighbor)
  const found = (await (await neighbor.request.get(`/api/businesses?q=${encodeURIComponent(closedName)}`)).json()) as Business[]
  expect(found.map(({ id }) => id)).not.toContain(listing.id)
})

test('moves a business to its new address on the planned day', async ({ browser, server }) => {
  const owner = newPerson()
  const page = await openAs(browser, server, owner)
  const business = await newBusiness(page, 'Wandering Farm')
  await page.goto(`/business-dashboard/profile?business=${business.slug}`)
  const card = page.getByRole('region', { name: 'Move', exact: true })
  await card.getByRole('button', { name: 'Plan a move' }).click()
  const dialog = page.getByRole('dialog', { name: 'Plan a move' })
  await dialog.getByLabel('First day at the new address').fill(denverDate())
  await dialog.getByLabel('New location').fill('Boulder, CO')
  await page.getByRole('option', { name: 'Boulder, CO' }).click()
  await dialog.getByRole('button', { name: 'Save move' }).click()
  await expect(dialog.getByText('Choose a day in the future')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByLabel('First day at the new address').fill(denverDate(5))
  await dialog.getByRole('button', { name: 'Save move' }).click()
  await expect(card).toContainText('To Boulder, CO. Your page shows both addresses until then.')

  const shopper = await openAs(browser, server, newPerson())
  for (const address of [`/business/${business.slug}`, `/menu/${business.slug}`]) {
    await shopper.goto(address)
    await expect(shopper.getByText(/^Moving on .+ to Boulder, CO\. Until then, it’s at Denver, CO\.$/)).toBeVisible()
    await expectAccessible(shopper)
  }

  await letPass(6, server, 'locations.move-due', page, owner)
  await page.reload()
  await expect(card.getByRole('button', { name: 'Plan a move' })).toBeVisible()
  await shopper.goto(`/menu/${business.slug}`)
  await expect(shopper.getByRole('main')).toContainText('Farm · Boulder, CO')
  await expect(shopper.getByText(/^Moving on/)).toHaveCount(0)
})

async function mailsTo(server: SeparateServer, address: string): Promise<string[]> {
  const outbox = path.join(server.dataDir, 'outbox')
  if (!fs.existsSync(outbox)) return []
  return fs
    .readdirSync(outbox)
    .map((file) => fs.readFileSync(path.join(outbox, file), 'utf8'))
    .filter((mail) => mail.includes(address))
}
