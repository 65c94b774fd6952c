import { type Browser, expect, type Locator, type Page } from '@playwright/test'
import { utcDate } from '#contracts/age.ts'
import type { Business } from '#contracts/businesses.ts'
import { expectAccessible } from './accessibility.ts'
import { openAsAdmin } from './admins.ts'
import { toastWith } from './directory.ts'
import { newBusiness, post, test } from './members.ts'

test.use({ viewport: { width: 1280, height: 900 } })

/** A license in the shipped register with a phone number but no listing. */
const license = { number: 'OCM-CAURD-23-000011', name: 'Stage One Cannabis LLC' }

async function verifyLicense(page: Page, business: Business, browser: Browser): Promise<void> {
  await page.goto(`/business-dashboard/license?business=${business.slug}`)
  const form = page.getByRole('form', { name: 'License' })
  await form.getByLabel('Name on the license').fill(license.name)
  await form.getByLabel(/^Expires on/).fill(utcDate(new Date(Date.now() + 90 * 86_400_000)))
  await form.getByRole('button', { name: 'Verify license' }).click()
  const proof = page.getByRole('form', { name: 'Proof' })
  await proof.getByRole('radio', { name: 'A code by phone' }).check()
  await proof.getByRole('button', { name: 'Request a call' }).click()
  const { page: desk } = await openAsAdmin(browser)
  await desk.goto('/admin?tab=claims')
  const code = await desk
    .getByRole('article', { name: `License for ${license.name}` })
    .getByText(/^\d{6}$/)
    .textContent()
  await page.getByRole('textbox', { name: 'Code' }).fill(code ?? '')
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('heading', { name: 'Your license is verified' })).toBeVisible()
}

async function buyBusinessTools(page: Page, { id: businessId }: Business): Promise<void> {
  const checkout = await page.request.post('/api/billing/checkouts', { data: { provider: 'test', planId: 'business_tools', businessId } })
  const { id } = (await checkout.json()) as { id: string }
  const answer = await page.request.post(`/api/billing/test/checkouts/${id}/answers`, { data: { outcome: 'approve' } })
  await post(page, `/api/billing/checkouts/${id}/approval`, (await answer.json()) as object)
}

const kinds = [
  ['Flower', '1/8 oz', 'Grams', 3500],
  ['Pre-Rolls', '1g', 'Grams', 900],
  ['Vaporizers', '500mg', 'mg', 4200],
  ['Edibles', '100mg', 'mg', 1800],
] as const
const header = 'SKU,Product Name,Category,Brand,Size,Unit,Price (Rec),Quantity,THC'
const row = (i: number, price = 0) => {
  const [category, size, unit, cents] = kinds[i % kinds.length] ?? kinds[0]
  return `S-${i},Item number ${i},${category},Slow Creek,${size},${unit},${(cents / 100 + (i % 20) + price).toFixed(2)},${i % 30},${category === 'Edibles' ? '100mg' : '22.5%'}`
}
const fileOf = (...rows: string[]) => ({ name: 'inventory.csv', mimeType: 'text/csv', buffer: Buffer.from([header, ...rows].join('\r\n')) })
const rowsOf = (count: number) => Array.from({ length: count }, (_, i) => row(i))

test('puts a menu of 800 items online within two minutes after the license is verified', async ({ newMember, browser }) => {
  test.slow()
  const { page } = await newMember({ firstName: 'Ida', lastName: 'Stone' })
  const made = await page.request.post('/api/businesses', {
    data: { businessType: 'other', businessName: license.name, location: 'Albany, NY', licenseNumber: license.number },
  })
  const business = (await made.json()) as Business
  await buyBusinessTools(page, business)
  await verifyLicense(page, business, browser)

  const startedAt = Date.now()
  let clicks = 0
  const click = async (target: Locator) => {
    clicks++
    await target.click()
  }
  await click(page.getByRole('link', { name: 'Menu', exact: true }).first())
  await click(page.getByRole('link', { name: 'Import a file' }))
  const chooser = page.waitForEvent('filechooser')
  await click(page.getByRole('button', { name: 'Choose file' }))
  await (await chooser).setFiles(fileOf(...rowsOf(800)))
  await click(page.getByRole('button', { name: 'Import 800 rows' }))
  await expect(page.getByText('800 items added, 0 items changed')).toBeVisible({ timeout: 60_000 })
  await page.goto(`/business/${business.slug}`)
  await expect(page.getByRole('tabpanel', { name: 'Products' }).getByRole('article').first()).toContainText('3.5 g$35')
  const seconds = (Date.now() - startedAt) / 1000
  test.info().annotations.push({ type: 'measured', description: `${clicks} clicks and a file, ${seconds.toFixed(1)} s` })
  expect(clicks).toBeLessThanOrEqual(4)
  expect(seconds).toBeLessThan(120)
})

test('imports the next week’s file with one upload and one press, and undoes the import', async ({ newMember }) => {
  test.slow()
  const { page } = await newMember({ firstName: 'Kay', lastName: 'Lund' })
  const business = await newBusiness(page, 'Weekly Farm')
  await buyBusinessTools(page, business)
  const upload = async (...rows: string[]) => {
    await page.goto(`/business-dashboard/menu/import?business=${business.slug}`)
    await page.getByLabel('Menu file').setInputFiles(fileOf(...rows))
  }
  await upload(...rowsOf(12))
  await expect(page.getByRole('heading', { name: 'What will happen' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'File preview' }).getByRole('row').nth(1)).toContainText(
    /Item number 0\s*3\.5 g\s*\$35\.00\s*Out of Stock/,
  )
  await page.getByRole('button', { name: 'Import 12 rows' }).click()
  await expect(page.getByText('12 items added, 0 items changed')).toBeVisible()

  // Item 0 costs more, items 1 to 8 are unchanged, 9 to 11 are missing, and one row is invalid.
  await upload(row(0, 1), ...rowsOf(9).slice(1), 'S-99,Broken,Flower,Slow Creek,1g,Grams,call us,3,20%')
  await expect(page.getByText('This file has the same columns as an earlier one')).toBeVisible()
  await expect(page.getByText('8 items are unchanged and now confirmed')).toBeVisible()
  await expect(page.getByText('3 items go out of stock')).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 320, height: 700 })
  await expect(page.getByRole('list', { name: 'File preview' }).getByRole('listitem').first()).toContainText('3.5 g · $36.00')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  await expectAccessible(page)
  await page.setViewportSize({ width: 1280, height: 900 })
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download this row with the reason' }).click()
  expect((await download).suggestedFilename()).toBe('inventory rejected.csv')
  await page.getByRole('button', { name: 'Import 9 rows' }).click()
  await expect(page.getByText('0 items added, 1 item changed, 8 items confirmed, 3 items out of stock, 1 row skipped')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('heading', { name: 'The import was undone' })).toBeVisible()
})

test('changes many items together, by percent with rounding, and undoes the change', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Kay', lastName: 'Lund' })
  const business = await newBusiness(page, 'Bulk Farm')
  for (const [name, price, category] of [
    ['Alpha', '10.20', 'Flower'],
    ['Beta', '20.00', 'Flower'],
    ['Gamma', '31.00', null],
    ['Delta', '40.00', 'Vapes'],
  ] as const) {
    await post(page, `/api/businesses/${business.id}/menu-items`, { name, category, variants: [{ price, isAvailable: name !== 'Delta' }] })
  }
  await page.goto(`/business-dashboard/menu?business=${business.slug}`)
  const table = page.getByRole('grid', { name: 'Menu' })
  // In the order of the table: Alpha, Beta, Delta, Gamma.
  await table.getByRole('checkbox', { name: 'Select Alpha' }).check()
  await table.getByRole('checkbox', { name: 'Select Delta' }).click({ modifiers: ['Shift'] })
  await expect(page.getByText('3 selected')).toBeVisible()
  await table.getByRole('checkbox', { name: 'Select all items' }).click()
  await table.getByRole('checkbox', { name: 'Select all items' }).click()
  await expect(page.getByText('4 selected')).toBeVisible()
  await page.getByRole('button', { name: 'Change prices and more' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change 4 items' })
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await expect(dialog.getByText('Choose at least one change.')).toBeVisible()
  await dialog.getByLabel('Price of every size').selectOption('Raise by %')
  await dialog.getByLabel('Percent', { exact: true }).fill('10')
  await dialog.getByLabel('Round prices to the nearest').selectOption('0.50')
  await dialog.getByLabel('Brand').fill('Slow Creek')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Apply' }).click()
  for (const price of ['11.00', '22.00', '34.00', '44.00']) await expect(table).toContainText(price)
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(page.getByText('with unsaved changes')).toBeHidden()
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Change prices and more' }).click()
  await dialog.getByLabel('Sale price').selectOption('Percent off the price')
  await dialog.getByLabel('Percent off').fill('25')
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(toastWith(page, 'Menu saved')).toBeVisible()
  await expect(table).toContainText('7.65')

  await page.getByLabel('Show', { exact: true }).selectOption('Out of Stock')
  await expect(table.getByRole('checkbox', { name: /^Select (Alpha|Beta|Gamma|Delta)$/ })).toHaveCount(1)
  await page.getByLabel('Show', { exact: true }).selectOption('No category')
  await expect(table.getByRole('checkbox', { name: 'Select Gamma' })).toBeVisible()
  await expect(table.getByRole('checkbox', { name: /^Select (Alpha|Beta|Gamma|Delta)$/ })).toHaveCount(1)
  await page.getByLabel('Show', { exact: true }).selectOption('Not confirmed in 7 days')
  await expect(page.getByText('No items on this menu match.')).toBeVisible()
})
