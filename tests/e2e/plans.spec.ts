import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { findBusinesses, toastWith } from './directory.ts'
import { newBusiness, test } from './members.ts'
import { expectToast, joinByCall, newPerson } from './people.ts'

/** Buys a plan in test mode on the plans page, which must be open. The wizard follows. */
async function buy(page: Page, plan: 'Verified' | 'Pro Partner') {
  await page
    .getByRole('article')
    .filter({ hasText: plan })
    .getByRole('button', { name: `Subscribe to ${plan}` })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await expect(toastWith(page, 'Subscription Activated!')).toContainText('Subscription ID:')
}

const goOn = (page: Page) => page.getByRole('button', { name: 'Continue' })
const finish = (page: Page) => page.getByRole('button', { name: 'Complete Setup' })

/** Completes the first step, and expects the second one, which asks for the account type. */
async function confirmAge(page: Page) {
  await expect(page.getByRole('heading', { level: 1, name: 'Age Verification' })).toBeFocused()
  await expect(goOn(page)).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Back' })).toHaveCount(0)
  await page.getByLabel('I confirm that I am 18 years or older').check()
  await goOn(page).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Account Type' })).toBeFocused()
  await expect(page.getByText('Age Verification, completed')).toBeVisible()
  await expect(goOn(page)).toBeDisabled()
}

test('sets up the business in three steps after a purchase, starts over after the next one, and asks a consumer for interests', async ({
  newMember,
}) => {
  const { page } = await newMember({ firstName: 'Rowan', lastName: 'Pike' })
  await page.goto('/sungrove')
  for (const tile of ['Enhanced Visibility', 'Community Culture', 'Business Tools']) {
    await expect(page.getByRole('region', { name: 'What plans are for' }).getByRole('heading', { name: tile })).toBeVisible()
  }
  // Expects the specification's button styles, which the test provider also uses.
  const look = (plan: string) =>
    page.getByRole('button', { name: `Subscribe to ${plan}` }).evaluate((button) => {
      const style = getComputedStyle(button)
      const blue = document.createElement('span')
      blue.style.background = 'var(--pay)'
      const gold = document.createElement('span')
      gold.style.background = 'var(--shine)'
      document.body.append(blue, gold)
      const names = new Map([blue, gold].map((each, index) => [getComputedStyle(each).backgroundColor, index === 0 ? 'blue' : 'gold']))
      for (const each of [blue, gold]) each.remove()
      const isPill = Number.parseFloat(style.borderRadius) > button.getBoundingClientRect().height / 2 - 1
      return `${isPill ? 'pill' : 'rect'} ${names.get(style.backgroundColor) ?? style.backgroundColor}`
    })
  await expect(page.getByRole('button', { name: 'Subscribe to Verified' })).toBeVisible()
  expect(await look('Verified')).toBe('pill blue')
  expect(await look('Pro Partner')).toBe('rect gold')
  await expect(page.getByText('Test mode: no money moves')).toHaveCount(2)
  // The requirement is shown before paying.
  await expect(page.getByText('you don’t own one here yet')).toHaveCount(2)
  await buy(page, 'Verified')
  await expect(page.getByText('Step 1 of 3')).toBeVisible()
  await confirmAge(page)
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(page.getByLabel('I confirm that I am 18 years or older')).toBeChecked()
  await goOn(page).click()
  await page.getByRole('radio', { name: 'Business' }).check()
  await goOn(page).click()

  await expect(page.getByRole('heading', { level: 1, name: 'Business Details' })).toBeFocused()
  await expect(page.getByLabel('Business Type').locator('option')).toHaveText(['Farm', 'Dispensary'])
  await expect(page.getByRole('combobox', { name: 'Location' })).toHaveAttribute('placeholder', 'City, State')
  await expect(page.getByLabel('Description')).toBeVisible()
  await expect(finish(page)).toBeDisabled()
  await page.getByRole('button', { name: 'Back' }).click()
  await goOn(page).click()
  const name = `Ledger Farm ${Math.random().toString(36).slice(2, 7)}`
  await page.getByLabel('Business Name').fill(name)
  await expectAccessible(page)
  // The business is created, but its plan can't be assigned. Changed details go to the same business.
  const assignment = '**/api/billing/agreements/*/business'
  await page.route(assignment, (route) => route.abort())
  await finish(page).click()
  await expect(toastWith(page, 'Failed to create business profile. Please try again.')).toBeVisible()
  await expect(page.getByLabel('Business Name')).not.toBeEditable()
  const find = () => findBusinesses(page, new URLSearchParams({ q: name }).toString())
  await page.getByLabel('Description').fill('Rows under glass.')
  await finish(page).click()
  await expect.poll(find).toMatchObject([{ description: 'Rows under glass.' }])
  await page.unroute(assignment)
  await page.getByLabel('Description').fill('')
  await finish(page).click()
  await expectToast(page, 'Welcome to Sungrove!', 'Your profile has been created successfully.')
  await expect(page.getByText('Subscribe to unlock visibility, tools, and culture.')).toBeVisible()
  await expect(page.getByText(`Active for ${name}`)).toBeVisible()
  expect(await find()).toMatchObject([{ name, type: 'farm', location: null, description: null }])

  await buy(page, 'Pro Partner')
  await expect(page.getByRole('heading', { level: 1, name: 'Age Verification' })).toBeVisible()
  await expect(page.getByLabel('I confirm that I am 18 years or older')).not.toBeChecked()
  await confirmAge(page)
  await page.getByRole('radio', { name: 'Consumer' }).check()
  await goOn(page).click()

  await expect(page.getByRole('heading', { level: 1, name: 'Personal Details' })).toBeFocused()
  await expect(page.getByRole('group', { name: 'Interests' }).getByRole('checkbox')).toHaveCount(6)
  for (const interest of ['Flower', 'Edibles', 'Concentrates', 'Topicals', 'CBD', 'Accessories']) {
    await expect(page.getByRole('checkbox', { name: interest, exact: true })).toBeVisible()
  }
  await page.getByLabel('First Name').fill('')
  await expect(finish(page)).toBeDisabled()
  await page.getByLabel('First Name').fill('Rowan')
  await page.getByLabel('Last Name').fill('')
  await expect(finish(page)).toBeDisabled()
  await page.getByLabel('Last Name').fill('Pike')
  await page.getByRole('combobox', { name: 'Location' }).fill('')
  await page.getByRole('checkbox', { name: 'Topicals' }).check()
  await finish(page).click()
  await expectToast(page, 'Welcome to Sungrove!', 'Your profile has been created successfully.')
  const user = await (await page.request.get('/api/auth/user')).json()
  expect(user).toMatchObject({ firstName: 'Rowan', location: null, interests: ['Topicals'] })
})

test('offers no plans until the business’s own plans have loaded', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Rowan', lastName: 'Pike' })
  await newBusiness(page, 'Ledge Farm')
  await page.route('**/api/businesses/*/plan', (route) => route.abort(), { times: 1 })
  await page.goto('/sungrove')
  const alerts = page.getByRole('alert').filter({ hasText: 'Your plans couldn’t be loaded.' })
  await expect(alerts).toHaveCount(2)
  await expect(page.getByRole('button', { name: 'Subscribe to Verified' })).toHaveCount(0)
  await alerts.first().getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('button', { name: 'Subscribe to Verified' })).toBeVisible()
})

/** Replaces PayPal's script: draws a button with the requested style as its text. */
const paypalScript = `
  const { namespace } = document.currentScript.dataset
  window[namespace] = {
    Buttons: ({ style }) => ({
      isEligible: () => true,
      render: async (place) => {
        const button = document.createElement('button')
        button.textContent = ['PayPal', style.shape, style.color, style.layout, style.label].join(' ')
        place.append(button)
      },
      close: async () => {},
    }),
  }
`

test.describe('with PayPal', () => {
  // The server adds PayPal to its security policy only if PayPal is configured.
  test.use({ bypassCSP: true })

  test('loads PayPal’s script for subscriptions, with two button styles on the plans page and one on the tools tab', async ({ page }) => {
    await joinByCall(page, newPerson())
    const { slug } = await newBusiness(page, 'Ledge Farm')
    await page.route('**/api/plans', async (route) => {
      const response = await route.fetch()
      await route.fulfill({
        response,
        json: { ...(await response.json()), providers: [{ name: 'paypal', isAvailable: true, clientId: 'client' }] },
      })
    })
    const scripts: URLSearchParams[] = []
    await page.route('https://www.paypal.com/sdk/js**', (route) => {
      scripts.push(new URL(route.request().url()).searchParams)
      return route.fulfill({ contentType: 'text/javascript', body: paypalScript })
    })
    const plan = (name: string) => page.getByRole('region', { name: 'Plans' }).getByRole('article').filter({ hasText: name })
    await page.goto('/sungrove')
    await expect(plan('Verified').first().getByRole('button')).toHaveText('PayPal pill blue vertical subscribe')
    await expect(plan('Pro Partner').getByRole('button')).toHaveText('PayPal rect gold vertical subscribe')
    await page.goto(`/business/${slug}?tab=tools`)
    await expect(page.getByRole('tabpanel').getByRole('button')).toHaveText('PayPal rect gold vertical subscribe')
    expect(scripts.length).toBeGreaterThan(0)
    for (const asked of scripts)
      expect(Object.fromEntries(asked)).toMatchObject({ intent: 'subscription', vault: 'true', 'client-id': 'client' })
  })
})
