import { expect, type Page } from '@playwright/test'
import type { Business } from '#contracts/businesses.ts'
import { expectAccessible } from './accessibility.ts'
import { hold } from './app.ts'
import { toastWith } from './directory.ts'
import { newBusiness, post, put, test } from './members.ts'

const owner = { firstName: 'Dana', lastName: 'Whitlock' }

const nine = Array.from({ length: 7 }, () => [{ opens: 540, closes: 1260 }])
const main = { name: 'Main', location: 'Denver, CO', timeZone: 'America/Denver', hours: nine }

async function threeShops(page: Page) {
  const shops = [
    await newBusiness(page, 'Zips North'),
    await newBusiness(page, 'Zips South'),
    await newBusiness(page, 'Zips West'),
  ] as const
  await put(page, `/api/businesses/${shops[0].id}/locations/${shops[0].id}`, main)
  await post(page, `/api/businesses/${shops[1].id}/menu-items`, { name: 'Blue Dream', variants: [{ price: '35' }] })
  return shops
}

test('lets an owner run several shops on one page, copy hours, import one menu file for all, and remove every shop', async ({
  newMember,
}) => {
  test.slow()
  const { page } = await newMember(owner)
  const [north, south, west] = await threeShops(page)
  await page.goto('/business-dashboard')
  await page.getByRole('link', { name: 'All shops' }).click()
  await page.getByLabel('Group name').fill('Zips of Colorado')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create group' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Zips of Colorado' })).toBeVisible()
  const card = (name: string) => page.getByRole('article').filter({ has: page.getByRole('heading', { name: new RegExp(name) }) })
  await expect(card(north.name)).toContainText('No menu yet')
  await expect(card(south.name)).toContainText('1 item')
  await expect(card(south.name)).toContainText('Add hours')
  await expectAccessible(page)

  await card(north.name)
    .getByRole('button', { name: /^More actions for/ })
    .click()
  await page.getByRole('menuitem', { name: 'Copy hours to other shops' }).click()
  const hours = page.getByRole('dialog', { name: /^Copy .+’s hours$/ })
  await expect(hours.getByText('Now: no hours')).toHaveCount(2)
  await hours.getByRole('checkbox', { name: new RegExp(west.name) }).uncheck()
  await expectAccessible(page)
  await hours.getByRole('button', { name: 'Copy to 1 shop' }).click()
  await expect(toastWith(page, 'Hours changed for 1 shop')).toBeVisible()
  await expect(card(south.name)).not.toContainText('Add hours')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(card(south.name)).toContainText('Add hours')

  await page.getByRole('button', { name: 'Import a file into several menus' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import a file into several menus' })
  const begun: string[] = []
  page.on('request', (request) => request.method() === 'POST' && /menu-imports$/.test(request.url()) && begun.push(request.url()))
  const release = await hold(page, /menu-imports$/)
  const lines = ['Store,Name,Price', `${north.name},Alpha,10`, `${north.name},Beta,12`, `${west.name},Gamma,14`, 'Elsewhere,Delta,9']
  const file = { name: 'chain.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) }
  await dialog.getByLabel('Menu file').setInputFiles(file)
  await expect.poll(() => begun.length).toBe(1)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  release()
  await page.getByRole('button', { name: 'Import a file into several menus' }).click()
  await dialog.getByLabel('Menu file').setInputFiles(file)
  await expect(dialog.getByText('2 rows · 2 new · 0 changed · 2 for other shops')).toBeVisible()
  await expect(dialog.getByText('1 row · 1 new · 0 changed · 3 for other shops')).toBeVisible()
  await expectAccessible(page)
  await expect(dialog.getByText(/^No row names this shop/)).toBeVisible()
  expect(begun).toHaveLength(4)
  await dialog.getByRole('button', { name: 'Import into 2 menus' }).click()
  await expect(toastWith(page, 'Importing into 2 menus')).toBeVisible()
  const sizeOf = async ({ id }: Business) => ((await (await page.request.get(`/api/businesses/${id}/products`)).json()) as object[]).length
  await expect.poll(async () => [await sizeOf(north), await sizeOf(west)]).toEqual([2, 1])
  await page.reload()
  await expect(card(north.name)).toContainText('2 items')
  await expect(card(west.name)).toContainText('1 item')

  await card(west.name)
    .getByRole('button', { name: /^More actions for/ })
    .click()
  await page.getByRole('menuitem', { name: 'Remove from the group' }).click()
  await expect(card(west.name)).toBeHidden()
  await page.setViewportSize({ width: 320, height: 700 })
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  await page.getByRole('button', { name: 'New group' }).click()
  await expect(page.locator(':focus')).toContainText('Run your shops together')
  await page.getByRole('button', { name: 'Cancel' }).click()

  await card(north.name)
    .getByRole('button', { name: /^More actions for/ })
    .click()
  await page.getByRole('menuitem', { name: 'Remove from the group' }).click()
  await expect(card(north.name)).toBeHidden()
  await card(south.name)
    .getByRole('button', { name: /^More actions for/ })
    .click()
  await page.getByRole('menuitem', { name: 'Remove from the group' }).click()
  const ending = page.getByRole('alertdialog', { name: 'Delete “Zips of Colorado”?' })
  await expect(ending).toBeVisible()
  await expectAccessible(page)
  await ending.getByRole('button', { name: 'Cancel' }).click()
  await expect(card(south.name)).toBeVisible()
  await card(south.name)
    .getByRole('button', { name: /^More actions for/ })
    .click()
  await page.getByRole('menuitem', { name: 'Remove from the group' }).click()
  await ending.getByRole('button', { name: 'Delete group' }).click()
  await expect(toastWith(page, '“Zips of Colorado” deleted')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Run your shops together' })).toBeVisible()
})

test('edits several items together on a phone, and sets the last day of a sale', async ({ newMember }) => {
  const { page } = await newMember(owner)
  const shop = await newBusiness(page, 'Phone Farm')
  for (const name of ['Alpha', 'Beta', 'Gamma']) {
    await post(page, `/api/businesses/${shop.id}/menu-items`, { name, category: 'Flower', variants: [{ price: '40' }] })
  }
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/business-dashboard/menu?business=${shop.slug}`)
  await page.getByRole('checkbox', { name: 'Select Beta' }).check()
  await expect(page.getByText('1 selected')).toBeVisible()
  await page.getByRole('checkbox', { name: 'Select all' }).click()
  await page.getByRole('checkbox', { name: 'Select all' }).click()
  await expect(page.getByText('3 selected')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Change prices and more' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change 3 items' })
  await dialog.getByLabel('Sale price').selectOption('Percent off the price')
  await dialog.getByLabel('Percent off').fill('25')
  const lastDay = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10)
  await dialog.getByLabel('Last day').fill(lastDay)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(toastWith(page, 'Menu saved')).toBeVisible()
  await page.getByLabel('Sort').selectOption('Least recently confirmed first')
  await expect(page.getByText('$30.00').first()).toBeVisible()

  await page.goto(`/business/${shop.slug}`)
  await expect(page.getByText(/^Sale ends /).first()).toBeVisible()
  await page.goto(`/business-dashboard/menu?business=${shop.slug}`)
  await page.getByRole('button', { name: /^Alpha/ }).click()
  await expect(page.getByLabel('Sale ends')).toHaveValue(lastDay)
  await page.getByLabel(/^Sale price/).fill('')
  await expect(page.getByLabel('Sale ends')).toBeHidden()
})
