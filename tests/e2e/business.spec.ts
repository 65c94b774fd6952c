import { expect, type Page, test } from '@playwright/test'
import type { BusinessSummary } from '../../contracts/businesses.ts'
import { expectAccessible } from './accessibility.ts'
import { findBusinesses, toastWith } from './directory.ts'
import { joinByCall, newPerson } from './people.ts'

test.beforeEach(async ({ page }) => {
  await joinByCall(page, newPerson())
})

/** An unclaimed listing of the register. Tests that change one take it from a state of their own. */
async function listing(page: Page, query: string): Promise<BusinessSummary> {
  const found = await findBusinesses(page, `${query}&verified=true&sort=name&limit=100`)
  const business = found.find(({ isClaimed, isDemo }) => !isClaimed && !isDemo)
  if (!business) throw new Error(`The directory has no unclaimed listing for ${query}.`)
  return business
}

/** As the page words it; nothing before the number may be a digit. */
const subscribers = (count: number) => new RegExp(`(?<!\\d)${count} ${count === 1 ? 'subscriber(?!s)' : 'subscribers'}`)

test('subscribe and favorite hold over a reload, and can be taken back', async ({ page }) => {
  const business = await listing(page, 'state=WA')
  await page.goto('/discover?state=WA&sort=name&verified=true')
  await page.getByRole('main').getByRole('link', { name: business.name, exact: true }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: business.name })).toBeVisible()

  await page.getByRole('button', { name: 'Subscribe' }).click()
  await expect(toastWith(page, 'Subscribed!')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Unsubscribe' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText(subscribers(business.subscriberCount + 1))
  const heart = page.getByRole('button', { name: `Favorite ${business.name}` })
  await heart.click()
  await expect(toastWith(page, 'Added to favorites')).toBeVisible()
  await expect(heart).toHaveAttribute('aria-pressed', 'true')

  await page.reload()
  await expect(page.getByRole('button', { name: 'Unsubscribe' })).toBeVisible()
  await expect(heart).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('button', { name: 'Unsubscribe' }).click()
  await expect(toastWith(page, 'Unsubscribed')).toBeVisible()
  await expect(page.getByRole('main')).toContainText(subscribers(business.subscriberCount))
  await heart.click()
  await expect(toastWith(page, 'Removed from favorites')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Subscribe', exact: true })).toBeVisible()
  await expect(heart).toHaveAttribute('aria-pressed', 'false')
})

test('the first paint needs no request for the business', async ({ page }) => {
  const business = await listing(page, 'state=OR')
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto(`/business/${business.slug}`)
  await expect(page.getByRole('heading', { level: 1, name: business.name })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Subscribe', exact: true })).toBeVisible()
  expect(asked).toContain(`/api/businesses/${business.id}/status`)
  expect(asked).not.toContain(`/api/businesses/${business.slug}`)
})

test('when a subscription fails, everything goes back with a message', async ({ page }) => {
  const business = await listing(page, 'state=AK')
  await page.goto(`/business/${business.slug}`)
  await page.route('**/api/subscriptions', (route) =>
    route.fulfill({ status: 500, json: { message: 'Something went wrong.', code: 'internal' } }),
  )
  await page.getByRole('button', { name: 'Subscribe', exact: true }).click()
  await expect(toastWith(page, 'Error')).toContainText('Failed to update subscription')
  await expect(page.getByRole('button', { name: 'Subscribe', exact: true })).toBeVisible()
  await expect(page.getByRole('main')).toContainText(subscribers(business.subscriberCount))
})

test('an unclaimed listing says what it is and how old the register is', async ({ page }) => {
  const business = await listing(page, 'near=Denver,+CO&type=farm')
  await page.goto(`/business/${business.slug}`)
  const license = page.getByRole('region', { name: 'License' })
  await expect(license).toContainText('Listed in the register')
  await expect(license).toContainText(/From Colorado’s register as read on \w+ \d+, 2023\. That is more than \d+ years ago\./)
  await expect(license).toContainText('Nobody of the business has edited it.')
  await expect(license.getByRole('link', { name: 'Is this your business?' })).toHaveAttribute('href', '/business/register')
  await expect(page.getByText('Unclaimed', { exact: true })).toBeVisible()
  await expect(page.getByText('No description available')).toBeVisible()
  await expect(page.getByText('Shown at the city: the place of a farm is never shown more exactly.')).toBeVisible()
})

test('the tabs stand in the address, and an empty one says so', async ({ page }) => {
  const business = await listing(page, 'state=AZ')
  await page.goto(`/business/${business.slug}?tab=posts`)
  await expect(page.getByText('No posts available yet.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('tab', { name: 'Posts' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByText('No reviews yet.')).toBeVisible()
  await expect(page).toHaveURL(/tab=reviews/)
  await page.getByRole('tab', { name: 'Business Tools' }).click()
  await expect(page.getByText('This server does not take payments yet')).toBeVisible()
  await expect(page.getByText('$75')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('tab', { name: 'Business Tools' })).toHaveAttribute('aria-selected', 'true')
  await page.getByRole('tab', { name: 'Products' }).click()
  await expect(page.getByText('No products available yet.')).toBeVisible()
  await expect(page).not.toHaveURL(/tab=/)
  await page.getByRole('tab', { name: 'Business Tools' }).click()
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page)
})

test('a business that is not there leads back', async ({ page }) => {
  await page.goto('/favorites')
  await expect(page.getByRole('heading', { name: 'No Favorites Yet' })).toBeVisible()
  await page.goto('/business/no-such-business')
  await expect(page.getByRole('heading', { level: 1, name: 'Business Not Found' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Go Back' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Business Not Found' })).toBeHidden()
})
