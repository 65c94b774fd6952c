import { expect, type Page } from '@playwright/test'
import type { Business } from '#contracts/businesses.ts'
import { startEmbedded } from '#server/db/embedded.ts'
import { startProcess } from '#tests/support/processes.ts'
import { expectAccessible } from './accessibility.ts'
import { toastWith } from './directory.ts'
import { mailTo } from './mail.ts'
import { newBusiness, post, put, test } from './members.ts'
import { joinByCall, newPerson } from './people.ts'

test('sells, cancels, and resumes Business Tools in test mode, with the end date on every screen', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Olive', lastName: 'Hart' })
  const business = await newBusiness(page, 'Ledge Farm')
  await page.goto(`/business/${business.slug}?tab=tools`)
  const tools = page.getByRole('tabpanel', { name: 'Business Tools' })
  await expect(tools.getByText('Free Account')).toBeVisible()
  await expect(tools.getByText('Test mode: no money moves')).toBeVisible()
  await expectAccessible(page)

  // Canceling charges nothing; approving completes the purchase.
  await tools.getByRole('button', { name: 'Subscribe' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(tools.getByText('Nothing was charged')).toBeVisible()
  await expect(tools.getByText('Free Account')).toBeVisible()
  await tools.getByRole('button', { name: 'Subscribe' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await expect(toastWith(page, 'Subscription Activated!')).toContainText('Subscription ID')
  await expect(tools.getByText('Business Tools Active')).toBeVisible()

  await tools.getByRole('link', { name: 'Plan and receipts' }).click()
  const plan = page.getByRole('article').filter({ hasText: `Business Tools for ${business.name}` })
  await expect(plan).toContainText('Renews on')
  await expect(page.getByRole('link', { name: /receipt as a PDF/ })).toBeVisible()
  await expectAccessible(page)
  await plan.getByRole('button', { name: 'Cancel at period end' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel plan' }).click()
  await expect(plan).toContainText(/Active until \w+ \d+, \d{4}/)
  const end = /until (\w+ \d+, \d{4})/.exec(await plan.innerText())?.[1]
  const until = `Business Tools until ${end}`
  await page.goto(`/business/${business.slug}?tab=tools`)
  await expect(tools.getByText(until)).toBeVisible()
  for (const part of ['', '/menu']) {
    await page.goto(`/business-dashboard${part}?business=${business.slug}`)
    await expect(page.getByText(until)).toBeVisible()
  }
  await page.goto(`/billing?business=${business.slug}`)
  await expect(plan.getByRole('button')).toHaveText([/^Resume/])
  await plan.getByRole('button', { name: 'Resume' }).click()
  await expect(toastWith(page, 'Resumed')).toContainText(`It renews on ${end}.`)
  await expect(plan).toContainText('Renews on')
  await page.goto(`/business/${business.slug}?tab=tools`)
  await expect(tools.getByText('Business Tools Active')).toBeVisible()
  await expect(tools.getByText(until)).toHaveCount(0)
})

test('sells Business Tools through the dashboard’s Upgrade button and updates the status', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Olive', lastName: 'Hart' })
  await newBusiness(page, 'Upgraded Farm')
  await page.goto('/business-dashboard')
  await expect(page.getByText('Free Account')).toBeVisible()
  await page.getByRole('button', { name: 'Upgrade' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('$75')
  await expectAccessible(page, ['light'])
  await dialog.getByRole('button', { name: 'Subscribe' }).click()
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await expect(toastWith(page, 'Subscription Activated!')).toContainText('Subscription ID')
  await expect(page.getByText('Business Tools Active')).toBeVisible()
  await expect(page.getByText('Free Account')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Upgrade' })).toHaveCount(0)
  // The figures replace the ad for them without a reload.
  await expect(page.getByText('With Business Tools, you’ll also see:')).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Conversion' })).toBeVisible()
})

test('states what a plan requires and includes before payment, and its end date after cancellation', async ({ newMember }) => {
  const { page, user } = await newMember({ firstName: 'Rowan', lastName: 'Pike' })
  await page.goto('/billing')
  const plan = (name: string) => page.getByRole('region', { name: 'Personal plans' }).getByRole('article').filter({ hasText: name })
  // Starter requires a business.
  await expect(plan('Starter')).toContainText('you don’t own one here yet.')
  await expect(plan('Starter').getByRole('button')).toHaveCount(0)
  await plan('Pro').getByRole('button', { name: 'Select Premium' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('VIP includes all of this for $39.99.')
  await expect(dialog).toContainText('Following businesses is free for everyone.')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await plan('VIP').getByRole('button', { name: 'Select VIP' }).click()
  await dialog.getByRole('button', { name: 'Subscribe' }).click()
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await expect(toastWith(page, 'Subscription Activated!')).toBeVisible()
  await expectAccessible(page)
  const bought = page.getByRole('region', { name: 'Plans and subscriptions' }).getByRole('article').filter({ hasText: 'VIP' })
  await bought.getByRole('button', { name: 'Cancel at period end' }).click()
  await dialog.getByRole('button', { name: 'Cancel plan' }).click()
  await expect(bought).toContainText(/Active until/)
  const end = /until (\w+ \d+, \d{4})/.exec(await bought.innerText())?.[1]
  await expect(plan('VIP')).toContainText(`VIP until ${end}. You can resume it above.`)
  for (const address of ['/profile', '/settings']) {
    await page.goto(address)
    await expect(page.getByText(`VIP until ${end}`)).toBeVisible()
  }
  await mailTo(user.email, 'VIP is canceled.')

  // Browsers don't provide `crypto.randomUUID` at http://192.168.…
  await page.addInitScript(() => Object.defineProperty(crypto, 'randomUUID', { value: undefined }))
  await page.goto('/contact')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText('Enter a subject')).toBeVisible()
  await page.getByRole('textbox', { name: 'Subject' }).fill('My receipt')
  await page.getByRole('textbox', { name: 'Message' }).fill('Where do I find it?')
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('Where do I find it?')
  await expectAccessible(page, ['light'])
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'within 1 business day, because you have priority support.' })).toBeVisible()
  await expect(page.locator(':focus')).toContainText('We got your message.')
})

test('lets an owner of two businesses choose which menu Starter expands', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Olive', lastName: 'Hart' })
  const [first, second] = [await newBusiness(page, 'First Yard'), await newBusiness(page, 'Second Yard')]
  await page.goto('/billing')
  await page.getByRole('button', { name: 'Select Basic' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Business Tools ($75) removes the same limit')
  await dialog.getByLabel('Which menu?').selectOption({ label: second.name })
  await dialog.getByRole('button', { name: 'Subscribe' }).click()
  await dialog.getByRole('button', { name: 'Approve' }).click()
  const bought = page.getByRole('article').filter({ hasText: `Starter for ${second.name}` })
  await expect(bought).toContainText('You can move this plan to another business starting')
  await page.goto(`/business-dashboard/menu?business=${second.slug}`)
  await expect(page.getByText('0 items')).toBeVisible()
  await page.goto(`/business-dashboard/menu?business=${first.slug}`)
  await expect(page.getByText('0 of 5 items')).toBeVisible()
})

test('sells a subscription to a business and unlocks its exclusive post', async ({ newMember }) => {
  const owner = await newMember({ firstName: 'Olive', lastName: 'Hart' })
  const business = await newBusiness(owner.page, 'Priced Farm')
  await buyBusinessTools(owner.page, business)
  const offer = { price: '12.50', currency: 'USD', title: 'Terrace club', perks: ['A walk through the rows'] }
  await put(owner.page, `/api/businesses/${business.id}/subscription-offer`, offer)
  await post(owner.page, '/api/posts', {
    businessId: business.id,
    title: 'Behind the gate',
    content: 'The rows on the upper terrace are ready.',
    postType: 'update',
    imageUrl: '',
    isExclusive: true,
  })

  const { page } = await newMember({ firstName: 'Rowan', lastName: 'Pike' })
  await page.goto(`/business/${business.slug}?tab=posts`)
  const locked = page.getByRole('article').filter({ hasText: 'Behind the gate' })
  await expect(locked).toContainText(`For subscribers to ${business.name}`)
  await expect(page.getByRole('button', { name: 'Subscribe $12.50 per month' }).first()).toBeVisible()
  await locked.getByRole('button', { name: 'Subscribe' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('A walk through the rows')
  await dialog.getByRole('button', { name: 'Subscribe' }).click()
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await expect(toastWith(page, 'Subscribed!')).toBeVisible()
  await expect(locked).toContainText('The rows on the upper terrace are ready.')

  await page.getByRole('button', { name: 'Unsubscribe' }).click()
  await expect(page.getByRole('dialog')).toContainText('stays active until')
  await expectAccessible(page, ['light'])
  await page.getByRole('dialog').getByRole('button', { name: 'Unsubscribe' }).click()
  await expect(toastWith(page, 'Unsubscribed')).toContainText('It stays active until')
  await expect(locked).toContainText('The rows on the upper terrace are ready.')
})

test('records a payment of an owner’s invoice and its refunds, and shows both to the subscriber', async ({ browser, page }) => {
  test.slow()
  const person = newPerson()
  await joinByCall(page, person)
  const business = await newBusiness(page, 'Invoiced Farm')
  await buyBusinessTools(page, business)
  const site = await startSiteWithInvoices()
  try {
    const visit = async () => (await browser.newContext({ baseURL: site.origin })).newPage()
    const [owner, subscriber] = [await visit(), await visit()]
    await post(owner, '/api/login', { email: person.email, password: person.password })
    await owner.goto(`/business-dashboard?business=${business.slug}&tab=subscriptions`)
    await owner.getByRole('button', { name: 'Set up invoices' }).click()
    const setUp = owner.getByRole('dialog', { name: 'Payment by invoice' })
    await setUp.getByRole('button', { name: 'Save' }).click()
    await expect(setUp.getByText('Explain how to pay')).toBeVisible()
    await setUp.getByLabel('How to pay').fill('To Invoiced Farm, account 55.')
    await setUp.getByRole('button', { name: 'Save' }).click()
    await expect(setUp.getByText('Password is required')).toBeVisible()
    await setUp.getByLabel('Your password').fill(person.password)
    await setUp.getByRole('button', { name: 'Save' }).click()
    await expect(setUp).toBeHidden()
    await expect(owner.getByText('To Invoiced Farm, account 55.')).toBeVisible()
    await put(owner, `/api/businesses/${business.id}/subscription-offer`, { price: '9.50', currency: 'USD', title: 'Club', perks: [] })
    await joinByCall(subscriber, newPerson())
    await post(subscriber, '/api/billing/checkouts', { provider: 'invoice', subscribeTo: business.id })

    await owner.goto(`/business-dashboard?business=${business.slug}&tab=subscriptions`)
    await owner
      .getByRole('region', { name: 'Open invoices' })
      .getByRole('button', { name: /^Record payment/ })
      .click()
    const payment = owner.getByRole('dialog', { name: 'Record payment' })
    await payment.getByLabel('Reference').fill('bank-1')
    await payment.getByRole('button', { name: 'Record payment' }).click()
    const received = owner.getByRole('region', { name: 'Payments by invoice' }).getByRole('listitem')
    await expect(received).toContainText('Reference bank-1')

    await received.getByRole('button', { name: /^Record refund of \$9\.50/ }).click()
    const refund = owner.getByRole('dialog', { name: 'Record a refund' })
    await expect(refund.getByLabel('Amount refunded')).toHaveValue('9.50')
    await expectAccessible(owner)
    await refund.getByLabel('Amount refunded').fill('9.51')
    await refund.getByLabel('Reason').fill('Closed for the season')
    await refund.getByRole('button', { name: 'Record refund' }).click()
    await expect(refund.getByLabel('Amount refunded')).toHaveAttribute('aria-invalid', 'true')
    await refund.getByLabel('Amount refunded').fill('4.50')
    await refund.getByRole('button', { name: 'Record refund' }).click()
    await expect(toastWith(owner, 'Refund recorded')).toContainText('$9.50: partly refunded.')
    await expect(received).toContainText('$4.50 refunded')
    await received.getByRole('button', { name: /^Record refund/ }).click()
    await expect(refund.getByLabel('Amount refunded')).toHaveValue('5.00')
    await refund.getByLabel('Reason').fill('The rest')
    await refund.getByRole('button', { name: 'Record refund' }).click()
    await expect(received).toContainText('$9.50 refunded')
    await expect(received.getByRole('button', { name: /^Record refund/ })).toHaveCount(0)

    await received.getByRole('button', { name: /^Record next payment/ }).click()
    const next = owner.getByRole('dialog', { name: 'Record next payment' })
    await expect(next.getByLabel('Amount')).toHaveValue('9.50')
    await next.getByLabel('Reference').fill('bank-1')
    await next.getByRole('button', { name: 'Record payment' }).click()
    await expect(next.getByLabel('Reference')).toHaveAccessibleDescription(/already recorded/)
    await next.getByLabel('Reference').fill('bank-2')
    await next.getByRole('button', { name: 'Record payment' }).click()
    await expect(received).toHaveCount(2)
    await expect(received.getByRole('button', { name: /^Record next payment/ })).toHaveCount(1)

    await subscriber.goto('/billing')
    await expect(subscriber.getByRole('main')).toContainText('$9.50 refunded')
    await Promise.all([owner, subscriber].map((each) => each.context().close()))
  } finally {
    await site.close()
  }
})

/** A second server with the same database: the one under test is in test mode, where businesses can't connect accounts. */
async function startSiteWithInvoices(): Promise<{ origin: string; close: () => Promise<void> }> {
  const dataDir = process.env.E2E_DATA_DIR as string
  const database = await startEmbedded({ dataDir, as: 'command', log: { info() {}, warn() {} } })
  const site = startProcess('site-process.ts', [], {
    env: {
      ...process.env,
      NODE_ENV: 'test',
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      SESSION_SECRET: 'its own, because each person signs in here again',
      RATE_LIMIT_SCALE: '1000',
      MAX_EVENT_LOOP_DELAY_MS: '0',
      BILLING_INVOICE_INSTRUCTIONS: 'To the site.',
    },
  })
  const close = async () => {
    await site.end('SIGKILL')
    await database.stop()
  }
  try {
    return { origin: String((await site.waitFor('ready')).origin), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function buyBusinessTools(owner: Page, { id: businessId }: Business): Promise<void> {
  const checkout = await owner.request.post('/api/billing/checkouts', { data: { provider: 'test', planId: 'business_tools', businessId } })
  const { id } = (await checkout.json()) as { id: string }
  const answer = await owner.request.post(`/api/billing/test/checkouts/${id}/answers`, { data: { outcome: 'approve' } })
  await post(owner, `/api/billing/checkouts/${id}/approval`, (await answer.json()) as object)
}
