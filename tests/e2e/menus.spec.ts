import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { hold } from './app.ts'
import { toastWith } from './directory.ts'
import { newBusiness, post, put, test } from './members.ts'

// At this width, the first screen doesn't show its small map, which takes most of a test's time to draw without a GPU.
test.use({ viewport: { width: 1000, height: 900 } })

const keeper = { firstName: 'Kay', lastName: 'Lund' }
const shopper = { firstName: 'Gia', lastName: 'Moreau' }

const table = (page: Page) => page.getByRole('grid', { name: 'Menu' })
/** Columns in the table's order. */
const columns = ['name', 'size', 'unit', 'price', 'sale', 'subscribers', 'stock', 'onHand'] as const
/** A cell by its row on screen. */
const cell = (page: Page, row: number, column: (typeof columns)[number]) => page.locator(`[data-cell="${row}:${columns.indexOf(column)}"]`)

test('lets an owner enter a menu in a table, and shows it to shoppers with tax', async ({ newMember }) => {
  const [owner, other] = [await newMember(keeper), await newMember(shopper)]
  const business = await newBusiness(owner.page, 'Stonewater Farm')
  await put(owner.page, `/api/businesses/${business.id}/menu-settings`, { currency: 'USD', taxRate: 15, pricesIncludeTax: false })
  const { page } = owner
  await page.goto(`/business-dashboard/menu?business=${business.slug}`)
  await expect(page.getByText('No products available yet.')).toBeVisible()

  await cell(page, 0, 'name').click()
  await page.keyboard.type('Blue Dream')
  for (let tabs = 0; tabs < 3; tabs++) await page.keyboard.press('Tab')
  await page.keyboard.type('cheap')
  await page.keyboard.press('Enter')
  // Two rows as copied from a spreadsheet, with a valid price in place of the invalid one.
  await cell(page, 1, 'name').click()
  await page.keyboard.type('Northern Lights')
  await page.keyboard.press('Enter')
  await cell(page, 0, 'price').click()
  await page.evaluate(() => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', '$35.00\t\t\t\t\tFlower\r\n40\t\t\t\t\tFlower\r\n')
    document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  // The first press selects the cell, and the second changes its value.
  const mark = cell(page, 1, 'stock').getByRole('button')
  await mark.click()
  await expect(cell(page, 1, 'stock')).toBeFocused()
  await expect(mark).toHaveAccessibleName(/In Stock\. Set to Out of Stock/)
  await mark.click()
  await expect(mark).toHaveAccessibleName(/Out of Stock\. Set to In Stock/)
  await page.keyboard.type('in')
  await page.keyboard.press('Enter')
  await expect(mark).toHaveAccessibleName(/In Stock\. Set to Out of Stock/)
  await cell(page, 1, 'stock').click({ position: { x: 120, y: 20 } })
  await page.keyboard.type('12')
  await page.keyboard.press('Enter')
  await expect(cell(page, 1, 'onHand')).toHaveText(/^12/)
  await cell(page, 1, 'stock').click({ position: { x: 120, y: 20 } })
  await page.keyboard.press('Space')
  await page.reload()
  await expect(page.getByText('2 items with unsaved changes')).toBeVisible()
  await expect(cell(page, 0, 'price')).toContainText('$35.00')
  await expect(cell(page, 1, 'stock')).toContainText('Out of Stock')
  await expectAccessible(page)
  // While the list is refetched, saved rows don't move, and the count is right.
  const list = Promise.withResolvers<void>()
  await page.route('**/menu-items?*', (route) => list.promise.then(() => route.continue()))
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(toastWith(page, 'Menu saved')).toBeVisible()
  await expect(cell(page, 0, 'name')).toContainText('Blue Dream')
  await expect(cell(page, 1, 'name')).toContainText('Northern Lights')
  await expect(page.getByText('2 of 5 items', { exact: true })).toBeVisible()
  list.resolve()
  await expect(table(page)).toContainText('Confirmed just now')

  await other.page.goto(`/business/${business.slug}`)
  const menu = other.page.getByRole('tabpanel', { name: 'Products' })
  const item = (name: string) => menu.getByRole('article').filter({ has: other.page.getByRole('heading', { name, exact: true }) })
  await expect(item('Blue Dream')).toContainText('$40.25')
  await expect(menu).toContainText('Prices include tax.')
  await expect(item('Blue Dream')).not.toContainText('Out of Stock')
  await expect(item('Northern Lights')).toContainText('Out of Stock')
})

test('adds an item in three sizes, one on sale, and shows it to a shopper who sorts, filters, and opens it', async ({ newMember }) => {
  const [owner, other] = [await newMember(keeper), await newMember(shopper)]
  const business = await newBusiness(owner.page, 'Stonewater Farm')
  await post(owner.page, `/api/businesses/${business.id}/menu-items`, {
    name: 'House blend',
    category: 'Flower',
    strainType: 'hybrid',
    variants: [{ weight: 3.5, weightUnit: 'g', price: '18.00' }],
  })
  const { page } = owner
  await page.goto(`/business-dashboard/menu?business=${business.slug}`)

  // Adds an item with two sizes in the form, the second one on sale.
  await page.getByRole('button', { name: 'Add item' }).click()
  const form = page.getByRole('dialog', { name: 'Add an item' })
  await form.getByLabel('Name').fill('Blue Dream')
  await form.getByLabel('Category', { exact: true }).selectOption('Flower')
  await form.getByLabel('Strain type').selectOption('Sativa')
  await form.getByLabel('THC', { exact: true }).fill('18.2')
  await form.getByLabel('Up to').first().fill('24.1')
  await form.getByLabel('Unit').first().selectOption('%')
  const size = (place: number) => form.getByRole('group', { name: 'Sizes and prices' }).getByRole('listitem').nth(place)
  await size(0).getByLabel('Size', { exact: true }).fill('3.5')
  await size(0).getByLabel('Unit').selectOption('g')
  await size(0).getByLabel('Price ($)', { exact: true }).fill('35')
  await form.getByRole('button', { name: 'Add a size' }).click()
  await expect(size(1).getByLabel('Unit')).toHaveValue('g')
  await size(1).getByLabel('Size', { exact: true }).fill('7')
  await size(1).getByLabel('Price ($)', { exact: true }).fill('65')
  await size(1).getByLabel('Sale price ($)').fill('55')
  await size(1).getByLabel('Subscriber price ($)').fill('50')
  await size(1).getByLabel('On hand').fill('3')
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Add item' }).click()
  await expect(toastWith(page, '“Blue Dream” added')).toBeVisible()

  // Adds a third size in the table.
  await expect(cell(page, 1, 'sale')).toContainText('55')
  await cell(page, 0, 'price').click()
  await page.keyboard.press('Alt+Enter')
  await expect(cell(page, 2, 'size')).toBeFocused()
  await page.keyboard.type('14')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.type('100')
  await page.keyboard.press('Enter')
  await expectAccessible(page, ['light'])
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(toastWith(page, 'Menu saved')).toBeVisible()

  await other.page.goto(`/business/${business.slug}`)
  const menu = other.page.getByRole('tabpanel', { name: 'Products' })
  const item = menu.getByRole('article').filter({ has: other.page.getByRole('heading', { name: 'Blue Dream' }) })
  await expect(item.getByRole('listitem')).toHaveText([
    /^3\.5 g\$35$/,
    /^7 gSale price \$55Regular price \$65\$50 for subscribers.*Only a few left$/,
    /^14 g\$100$/,
  ])
  const names = menu.getByRole('article').getByRole('heading')
  await expect(item).toContainText('Sativa · 18.2–24.1% THC')
  await expect(names).toHaveText(['Blue Dream', 'House blend'])
  await menu.getByRole('button', { name: 'Sort: Category' }).click()
  await other.page.getByRole('menuitemradio', { name: 'Price: low to high' }).click()
  await expect(names).toHaveText(['House blend', 'Blue Dream'])
  await menu.getByRole('button', { name: 'On sale' }).click()
  await expect(names).toHaveText(['Blue Dream'])
  await expect(other.page).toHaveURL(/onSale=true/)
  await other.page.reload()
  await expect(names).toHaveText(['Blue Dream'])
  await expectAccessible(other.page)

  await item.getByRole('link', { name: 'Blue Dream' }).click()
  await expect(other.page).toHaveURL(/\/product\//)
  await expect(other.page.getByRole('heading', { level: 1 })).toHaveText('Blue Dream')
})

test('shows an item on its own page, where shoppers can report it or ask about it', async ({ newMember }) => {
  const [owner, other] = [await newMember(keeper), await newMember(shopper)]
  const business = await newBusiness(owner.page, 'Stonewater Farm')
  const made = await owner.page.request.post(`/api/businesses/${business.id}/menu-items`, {
    data: { name: 'Blue Dream', category: 'Flower', variants: [{ weight: 3.5, weightUnit: 'g', price: '35', salePrice: '30' }] },
  })
  const { id } = (await made.json()) as { id: string }
  const { page } = other
  await page.goto(`/product/${id}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Blue Dream')
  await expect(page.getByRole('main')).toContainText('Confirmed just now')
  await expect(page.getByRole('list', { name: 'Sizes' })).toHaveText('3.5 gSale price $30Regular price $35')
  await expect(page.getByRole('region', { name: 'Shop' }).getByRole('link', { name: business.name })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('main').getByRole('button', { name: 'Report' }).click()
  const report = page.getByRole('dialog', { name: 'Report this menu item' })
  await report.getByRole('radio', { name: /^Spam/ }).check()
  await report.getByRole('button', { name: 'Send report' }).click()
  await page.getByRole('dialog', { name: 'Report sent' }).getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Ask the shop' }).click()
  await expect(page.getByRole('alert').or(page.getByRole('textbox', { name: 'Message' }))).toBeVisible()
  await page.goto('/product/019ab000-0000-7000-8000-000000000001')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Item not found')
  await expect(page.getByRole('link', { name: 'See products' })).toHaveAttribute('href', '/products')
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
  // The row is far from the button, which moves focus to it.
  await page.getByRole('button', { name: 'Skip or fix 1 row to import' }).click()
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

test('saves a stock switch immediately on a phone', async ({ newMember }) => {
  const { page } = await newMember(keeper)
  const business = await newBusiness(page, 'Pocket Farm')
  await post(page, `/api/businesses/${business.id}/menu-items`, { name: 'Blue Dream', category: 'Flower', variants: [{ price: '35.00' }] })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/business-dashboard/menu?business=${business.slug}`)
  const stock = page.getByRole('switch', { name: 'Blue Dream is in stock' })
  await stock.uncheck()
  await expect(toastWith(page, 'Menu saved')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Unsaved changes' })).toHaveCount(0)
  await page.reload()
  await expect(stock).not.toBeChecked()

  // Edits that couldn't be saved appear in the bar.
  await page.route('**/menu-items', (route) => route.fulfill({ status: 503, json: { message: 'Busy.', code: 'unavailable' } }))
  await stock.check()
  await expect(page.getByRole('region', { name: 'Unsaved changes' }).getByRole('button', { name: 'Save changes' })).toBeVisible()
  await page.unroute('**/menu-items')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('region', { name: 'Unsaved changes' })).toHaveCount(0)
  await page.reload()
  await expect(stock).toBeChecked()
})

test('saves a stock switch that was flipped back during its save', async ({ newMember }) => {
  const { page } = await newMember(keeper)
  const business = await newBusiness(page, 'Pocket Garden')
  await post(page, `/api/businesses/${business.id}/menu-items`, { name: 'Blue Dream', category: 'Flower', variants: [{ price: '35.00' }] })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/business-dashboard/menu?business=${business.slug}`)
  const stock = page.getByRole('switch', { name: 'Blue Dream is in stock' })
  const sent: boolean[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') sent.push(request.postDataJSON().changes[0].variants[0].isAvailable)
  })
  const release = await hold(page, '**/menu-items')
  await stock.uncheck()
  await stock.check()
  const both = page.waitForResponse((answer) => answer.request().method() === 'PATCH' && sent.length === 2)
  release()
  await both
  expect(sent).toEqual([false, true])
  await page.reload()
  await expect(stock).toBeChecked()
})

test('doesn’t overwrite menu settings that a teammate changed while the form was open, and loads them', async ({ newMember }) => {
  const { page } = await newMember(keeper)
  const business = await newBusiness(page, 'Harbor Garden')
  await page.goto(`/business-dashboard/menu?business=${business.slug}`)
  await page.getByRole('button', { name: 'More actions for this menu' }).click()
  await page.getByRole('menuitem', { name: 'Currency and tax' }).click()
  const form = page.getByRole('dialog', { name: 'Menu settings' })
  const rate = form.getByLabel('Tax rate (%)')
  await rate.fill('5')
  await put(page, `/api/businesses/${business.id}/menu-settings`, { currency: 'CAD', taxRate: 15, pricesIncludeTax: false })
  await form.getByRole('button', { name: 'Save settings' }).click()
  await form.getByRole('button', { name: 'Load the latest version' }).click()
  await expect(rate).toHaveValue('15')
  await expect(form.getByLabel('Currency')).toHaveValue('CAD')
  await rate.fill('5')
  await form.getByRole('button', { name: 'Save settings' }).click()
  await expect(toastWith(page, 'Menu settings saved')).toBeVisible()
})
