import { expect, test } from '@playwright/test'
import type { FoundProduct } from '#contracts/product-search.endpoints.ts'
import { expectAccessible } from './accessibility.ts'
import { joinByCall, newPerson } from './people.ts'

// At this width, Discover doesn't show its map, which takes most of a test's time to draw without a GPU.
test.use({ viewport: { width: 1000, height: 900 } })

test('opens the products near a place from Discover, sorts and filters them, and returns to them from an item', async ({ page }) => {
  await joinByCall(page, newPerson())
  await page.goto('/discover?near=Denver,+CO')
  await page.getByLabel('Name or keyword').fill('chocolate')
  // No business has this name, so Discover suggests products.
  await expect(page.getByText(/^\d+ shops? near Denver ha(?:s|ve) “chocolate” on (?:its|their) menus?\.$/)).toBeVisible()
  await page.getByRole('link', { name: 'See products' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Products near Denver, CO' })).toBeVisible()
  await expect(page.getByLabel('Product, brand or strain')).toHaveValue('chocolate')
  const cards = page.getByRole('main').getByRole('article')
  await expect(cards.first()).toContainText(/chocolate/i)
  await expect(cards.first()).toContainText(/\$\d+/)
  await expect(cards.first()).toContainText(/\d mi/)
  await expect(cards.first()).toContainText(/[Cc]onfirmed/)
  await expectAccessible(page)

  await page.getByLabel('Product, brand or strain').fill('')
  await page.getByRole('button', { name: 'Sort by: Nearest' }).click()
  // Other tests change menus near Denver at any time, so a later response could differ.
  const answer = page.waitForResponse((response) => /\/api\/products\?.*sort=price/.test(response.url()) && !response.url().includes('q='))
  await page.getByRole('menuitemradio', { name: 'Price', exact: true }).click()
  await expect(page).toHaveURL(/sort=price/)
  await expect(page.getByText('Lowest price first.')).toBeVisible()
  const listed = (await (await answer).json()) as FoundProduct[]
  await expect(cards.getByRole('heading')).toHaveText(listed.map(({ product }) => product.name))
  await page.getByRole('button', { name: 'Deals' }).click()
  await expect(cards.first()).toContainText('Deal')
  await expect(cards.filter({ hasNotText: 'Regular price' })).toHaveCount(0)

  const name = await cards.first().getByRole('heading').innerText()
  await cards.first().getByRole('heading').getByRole('link').click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('button', { name: 'Deals' })).toHaveAttribute('aria-pressed', 'true')

  await page.getByLabel('Product, brand or strain').fill('zzxyqq')
  await expect(page.getByRole('heading', { name: 'No products found' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page.getByRole('button', { name: 'Deals' })).toHaveAttribute('aria-pressed', 'false')

  // Presses a filter before the typed text is sent.
  await page.getByLabel('Product, brand or strain').fill('chocolate')
  await page.getByRole('button', { name: 'Open now' }).click()
  await expect(page).toHaveURL(/q=chocolate/)
  await expect(page).toHaveURL(/open=true/)
})

test('explains to a person under 21 why no products are shown', async ({ page }) => {
  await joinByCall(page, { ...newPerson(), birthday: `${new Date().getUTCFullYear() - 19}-01-01` })
  await page.goto('/products?near=Denver,+CO')
  await expect(page.getByRole('heading', { name: 'You’re not old enough to see products here' })).toBeVisible()
  await expect(
    page.getByText('You must be 21 or older to see products here. Colorado: Cannabis is legal for adult use from 21.'),
  ).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'See the shops' }).click()
  await expect(page).toHaveURL(/\/discover\?near=Denver/)
})
