import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { toastWith } from './directory.ts'
import { newBusiness, put, test } from './members.ts'

// Narrower than where the small map is on the first screen: without a GPU, drawing it takes most of a test's time.
test.use({ viewport: { width: 1000, height: 900 } })

const keeper = { firstName: 'Kay', lastName: 'Lund' }
const shopper = { firstName: 'Gia', lastName: 'Moreau' }

const table = (page: Page) => page.getByRole('grid', { name: 'Menu' })
/** A cell by its row on the screen and its column in the table's order. */
const cell = (page: Page, row: number, column: number) => page.locator(`[data-cell="${row}:${column}"]`)

test('enters a menu in a table and shows it to shoppers with tax', async ({ newMember }) => {
  const [owner, other] = [await newMember(keeper), await newMember(shopper)]
  const business = await newBusiness(owner.page, 'Stonewater Farm')
  await put(owner.page, `/api/businesses/${business.id}/menu-settings`, { currency: 'USD', taxRate: 15, pricesIncludeTax: false })
  const { page } = owner
  await page.goto(`/business-dashboard/menu?business=${business.slug}`)
  await expect(page.getByText('No products available yet.')).toBeVisible()

  await cell(page, 0, 0).click()
  await page.keyboard.type('Blue Dream')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.type('cheap')
  await page.keyboard.press('Enter')
  // As copied from a spreadsheet: two rows, including a valid price in place of the wrong one.
  await cell(page, 1, 0).click()
  await page.keyboard.type('Northern Lights')
  await page.keyboard.press('Enter')
  await cell(page, 0, 2).click()
  await page.evaluate(() => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', '$35.00\t\tFlower\r\n40\t\tFlower\r\n')
    document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  await cell(page, 1, 1).getByRole('button', { name: 'Set to Out of Stock' }).click()
  await page.reload()
  await expect(page.getByText('2 items with unsaved changes')).toBeVisible()
  await expect(cell(page, 0, 2)).toContainText('$35.00')
  await expect(cell(page, 1, 1)).toContainText('Out of Stock')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(toastWith(page, 'Menu saved')).toBeVisible()
  await expect(page.getByText('2 of 5 items')).toBeVisible()
  await expect(table(page)).toContainText('Confirmed just now')

  await other.page.goto(`/business/${business.slug}`)
  const menu = other.page.getByRole('tabpanel', { name: 'Products' })
  const item = (name: string) => menu.getByRole('article').filter({ has: other.page.getByRole('heading', { name, exact: true }) })
  await expect(item('Blue Dream')).toContainText('$40.25 incl. tax')
  await expect(item('Blue Dream')).not.toContainText('Out of Stock')
  await expect(item('Northern Lights')).toContainText('Out of Stock')
})

test('imports a file without its invalid row and undoes the import', async ({ newMember }) => {
  const { page } = await newMember(keeper)
  const business = await newBusiness(page, 'Stonewater Farm')
  await page.goto(`/business-dashboard/menu/import?business=${business.slug}`)
  await expect(page.getByRole('button', { name: 'Choose file' })).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Menu file').setInputFiles({
    name: 'menu.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      'Product Name,Unit Price,Category,Shelf\nBlue Dream,36.00,Flower,A1\nSour Diesel,cheap,Flower,A2\nOG Kush,31,Flower,A3\n',
    ),
  })
  await expect(page.getByRole('combobox', { name: 'Column Unit Price is' })).toHaveValue('price')
  await expect(page.getByRole('combobox', { name: 'Column Shelf is' })).toHaveValue('')
  await expect(page.getByRole('heading', { name: '1 row has a problem' })).toBeVisible()
  await page.reload()
  const start = page.getByRole('button', { name: 'Import 2 rows' })
  await expect(start).toBeDisabled()
  await expectAccessible(page)
  // The row is far from the button, which moves the focus there.
  await page.getByRole('button', { name: '1 row has a problem' }).click()
  await expect(page.getByRole('checkbox', { name: 'Skip this row' })).toBeFocused()
  await page.getByRole('checkbox', { name: 'Skip this row' }).check()
  await start.click()
  await expect(page.getByText('2 items added, 0 items changed, 1 row skipped')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('heading', { name: 'The import was undone' })).toBeVisible()
  await page.getByRole('link', { name: 'See the menu' }).click()
  await expect(page.getByText('No products available yet.')).toBeVisible()
})
