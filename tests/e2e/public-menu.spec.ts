import { expect, test } from '@playwright/test'
import { expectAccessible, expectTouchTargets } from './accessibility.ts'

const menu = '/menu/lanternfold-dispensary-denver'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'a public menu' : 'a public menu without JavaScript', () => {
    test.use({ javaScriptEnabled })

    test('shows a visitor the shop, asks whether they are old enough, and can be searched', async ({ page }) => {
      await page.goto(menu)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Lanternfold Dispensary')
      await expect(page.getByRole('link', { name: 'Call' })).toHaveAttribute('href', 'tel:3035550142')
      await expect(page.getByText('Terrace No. 4')).toHaveCount(0)
      for (const name of ['Contact', 'Other locations']) await expectTouchTargets(page.getByRole('region', { name }).locator('a, summary'))
      if (javaScriptEnabled) await expectAccessible(page)
      await page.getByRole('button', { name: 'Yes, I’m 21 or older' }).click()
      await expect(page).toHaveURL(`${menu}#menu`)
      await expect(page.getByRole('heading', { name: /^Terrace No. 4/ })).toBeVisible()
      if (javaScriptEnabled) await expectAccessible(page)

      await page.getByRole('link', { name: /^Terrace No. 4/ }).click()
      await expect(page.getByRole('heading', { level: 1, name: /^Terrace No. 4/ })).toBeVisible()
      await expect(page.getByRole('region', { name: 'Shop' }).getByRole('link', { name: 'Call' })).toBeVisible()
      if (javaScriptEnabled) await expectAccessible(page)
      await page.getByRole('link', { name: 'Lanternfold Dispensary’s menu' }).click()

      await page.getByRole('link', { name: /^Edibles/ }).click()
      await expect(page.getByRole('link', { name: /^Edibles/ })).toHaveAttribute('aria-current', 'true')
      await expect(page.getByRole('heading', { name: /^Dark chocolate/ })).toBeVisible()
      await expect(page.getByRole('heading', { name: /^Terrace No. 4/ })).toHaveCount(0)

      await page.getByRole('link', { name: /^All/ }).click()
      await page.getByRole('link', { name: 'Price: low to high' }).click()
      await expect(page.getByRole('navigation', { name: 'Sort by' }).locator('[aria-current]')).toHaveText('Price: low to high')
      await expect(page.getByRole('heading', { level: 3, name: /^Edibles/ })).toHaveCount(0)
      await page.getByRole('link', { name: /^On sale/ }).click()
      await expect(page).toHaveURL(/onSale=true&sort=price/)
      await expect(page.getByRole('article').filter({ hasNotText: 'On sale' })).toHaveCount(0)
      await page.getByRole('link', { name: /^On sale/ }).click()
      await page.getByRole('searchbox', { name: 'Search this menu' }).fill('nothing like it')
      await page.getByRole('button', { name: 'Search', exact: true }).click()
      await expect(page.getByText('No items on this menu match.')).toBeVisible()
      await page.getByRole('link', { name: 'Show the whole menu' }).click()
      await expect(page.getByRole('heading', { name: /^Terrace No. 4/ })).toBeVisible()
    })
  })
}

test('keeps the location that a visitor chose when an item’s page opens', async ({ page }) => {
  await page.goto(menu)
  await page.getByRole('button', { name: 'Yes, I’m 21 or older' }).click()
  const choice = page.getByRole('combobox', { name: 'Location' })
  await choice.selectOption({ index: 2 })
  const name = (await choice.getByRole('option', { selected: true }).textContent()) ?? ''
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.getByRole('link', { name: /^Terrace No. 4/ }).click()
  await expect(page.getByText(`Price and stock at ${name}`)).toBeVisible()
  await page.getByRole('link', { name: 'Lanternfold Dispensary’s menu' }).click()
  await expect(choice.getByRole('option', { selected: true })).toHaveText(name)
})

test('shows a 404 page for a menu that doesn’t exist', async ({ page }) => {
  const answer = await page.goto('/menu/no-such-business')
  expect(answer?.status()).toBe(404)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Menu not found')
  await expectAccessible(page)
})
