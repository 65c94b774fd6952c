import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { test } from './members.ts'
import { expectToast } from './people.ts'

/** Buys a plan of the brand-named page in test mode; the wizard follows. */
async function buy(page: Page, plan: 'Verified' | 'Pro Partner') {
  await page.goto('/sungrove')
  await page
    .getByRole('article')
    .filter({ hasText: plan })
    .getByRole('button', { name: `Subscribe to ${plan}` })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await expectToast(page, 'Subscription Activated!', 'Subscription ID:')
}

const goOn = (page: Page) => page.getByRole('button', { name: 'Continue' })
const finish = (page: Page) => page.getByRole('button', { name: 'Complete Setup' })

/** The first step, and the account type of the second. */
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

test('after a plan is bought, three steps set up the business', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Olive', lastName: 'Hart' })
  await page.goto('/sungrove')
  for (const tile of ['Enhanced Visibility', 'Community Culture', 'Business Tools']) {
    await expect(page.getByRole('region', { name: 'What plans are for' }).getByRole('heading', { name: tile })).toBeVisible()
  }
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
  await page.getByRole('combobox', { name: 'Location' }).fill('Denver, CO')
  await expectAccessible(page)
  await finish(page).click()
  await expectToast(page, 'Welcome to Sungrove!', 'Your profile has been created successfully.')
  await expect(page.getByText('Subscribe to unlock visibility, tools, and culture.')).toBeVisible()
  await expect(page.getByText(`Active for ${name}`)).toBeVisible()
})

test('a consumer tells their name, place and interests, and the next purchase begins at the first step', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Rowan', lastName: 'Pike' })
  await buy(page, 'Pro Partner')
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
  await page.getByRole('combobox', { name: 'Location' }).fill('Golden, CO')
  await page.getByRole('checkbox', { name: 'Topicals' }).check()
  await finish(page).click()
  await expectToast(page, 'Welcome to Sungrove!', 'Your profile has been created successfully.')
  const user = await (await page.request.get('/api/auth/user')).json()
  expect(user).toMatchObject({ location: 'Golden, CO', interests: ['Topicals'] })
  await buy(page, 'Verified')
  await expect(page.getByRole('heading', { level: 1, name: 'Age Verification' })).toBeVisible()
  await expect(page.getByLabel('I confirm that I am 18 years or older')).not.toBeChecked()
})
