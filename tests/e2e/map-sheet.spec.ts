import { expect, type Page, test } from '@playwright/test'
import type { BusinessSummary } from '#contracts/businesses.ts'
import { expectAccessible } from './accessibility.ts'
import { cards, findBusinesses } from './directory.ts'
import { joinByCall, newPerson } from './people.ts'

test.use({ viewport: { width: 390, height: 844 } })

test.beforeEach(async ({ page }) => {
  await joinByCall(page, newPerson())
})

const parts = (page: Page) => ({
  map: page.getByRole('application', { name: 'Map of businesses' }),
  credit: page.locator('.maplibregl-ctrl-attrib'),
  sheet: page.getByRole('region', { name: 'Businesses', exact: true }),
  list: page.locator('[data-scroll-restoration-id="discover-sheet"]'),
  handle: (name: string) => page.getByRole('button', { name, exact: true }),
})

test('shows the list as a sheet that moves between three stops by press, arrow keys, and drag, below the credit line', {
  tag: '@map',
}, async ({ page }) => {
  test.slow()
  const { map, credit, sheet, list, handle } = parts(page)
  const heightOf = async () => (await sheet.boundingBox())?.height ?? 0
  /** The credit line ends above the sheet. */
  const expectCreditAbove = async () => {
    await expect
      .poll(async () => {
        const [line, over] = [await credit.boundingBox(), await sheet.boundingBox()]
        return line && over ? over.y - line.y - line.height : null
      })
      .toBeGreaterThanOrEqual(-1)
    await expect(credit).toBeInViewport()
  }
  await page.goto('/discover')
  await page.getByRole('button', { name: 'Map', exact: true }).click()
  await expect(map).toBeVisible()
  await expect(sheet.getByRole('status')).toHaveText(/^[\d,]+ businesses within 50 miles\./)
  await expect(cards(page).first()).toBeInViewport()
  await expectCreditAbove()
  const half = await heightOf()

  await handle('Show the list').click()
  await expect(page).toHaveURL(/sheet=full/)
  await expect.poll(heightOf).toBeGreaterThan(half * 1.8)
  await list.evaluate((element) => element.scrollTo({ top: 400 }))

  await handle('Show the map').press('ArrowDown')
  await expect.poll(heightOf).toBeCloseTo(half, 0)
  await expectCreditAbove()
  expect(await list.evaluate((element) => element.scrollTop)).toBe(400)
  await handle('Show the list').press('ArrowDown')
  await expect.poll(heightOf).toBeLessThan(100)
  await expectCreditAbove()
  await expectAccessible(page, ['light'])
  await expect(handle('Show the map and list')).toBeFocused()

  const { x, y, width } = (await sheet.boundingBox())!
  await page.mouse.move(x + width / 2, y + 14)
  await page.mouse.down()
  await page.mouse.move(x + width / 2, y - half + 60, { steps: 6 })
  // Release without a flick.
  await page.waitForTimeout(200)
  await page.mouse.up()
  await expect.poll(heightOf).toBeCloseTo(half, 0)
  await expect(page).not.toHaveURL(/sheet=/)
  expect(await list.evaluate((element) => element.scrollTop)).toBe(400)

  // Going back from a business restores the stop, the map and the scroll position. Going back again closes the map.
  const link = cards(page).nth(5).getByRole('link')
  await link.scrollIntoViewIfNeeded()
  const scrollTop = await list.evaluate((element) => element.scrollTop)
  await link.click()
  await expect(page).toHaveURL(/\/business\//)
  await page.goBack()
  await expect(map).toBeVisible()
  await expect.poll(() => list.evaluate((element) => element.scrollTop)).toBe(scrollTop)
  await page.goBack()
  await expect(map).toBeHidden()
  await expect(page).toHaveURL('/discover')
})

test('shows the card of a pressed pin in the sheet, and keeps the map still while the list scrolls', { tag: '@map' }, async ({ page }) => {
  test.slow()
  const { map, sheet, list } = parts(page)
  const shop = (await findBusinesses(page, 'q=Lanternfold&type=dispensary'))[0]!
  // Removes the shop from the results, so its card comes from its pin.
  await page.route(/\/api\/businesses(\?|$)/, async (route) => {
    const response = await route.fetch()
    const found = (await response.json()) as BusinessSummary[]
    await route.fulfill({ response, json: found.filter(({ id }) => id !== shop.id) })
  })
  const address = `/discover?${new URLSearchParams({ search: shop.name, view: 'map', sheet: 'peek' })}`
  const card = cards(page).filter({ has: page.getByRole('heading', { name: shop.name }) })
  await expect(async () => {
    await page.goto('/favorites')
    const pins = page.waitForResponse(/\/api\/businesses\/map/)
    await page.goto(address)
    await pins
    await expect(map).toHaveAttribute('aria-busy', 'false')
    await map.focus()
    await page.keyboard.press('Enter')
    await expect(card).toHaveAttribute('data-marked', 'true', { timeout: 3000 })
  }).toPass()
  await expect(page).not.toHaveURL(/sheet=/)
  await expect(card).toBeInViewport()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(map).toHaveAttribute('aria-busy', 'false')

  const moves = await page.evaluate(async () => {
    const canvas = document.querySelector('.maplibregl-canvas')!
    let count = 0
    new MutationObserver(() => count++).observe(canvas, { attributeFilter: ['aria-busy'] })
    document.querySelector('[data-scroll-restoration-id="discover-sheet"]')?.scrollBy({ top: 200 })
    await new Promise((resolve) => setTimeout(resolve, 500))
    return count
  })
  expect(moves).toBe(0)
  await expect(list).toBeVisible()
  await card.getByRole('link').click()
  await expect(page).toHaveURL(`/business/${shop.slug}`)
  await expect(sheet).toHaveCount(0)
})

test('zooms around the center of the map above the sheet, so the place remains in view', { tag: '@map' }, async ({ page }) => {
  test.slow()
  await page.goto('/discover?near=Denver,+CO&view=map')
  const { map } = parts(page)
  await expect(map).toHaveAttribute('aria-busy', 'false')
  await map.focus()
  for (const key of ['+', '+', '-', '=']) {
    await page.keyboard.press(key)
    await page.waitForTimeout(400)
  }
  for (let presses = 0; presses < 3; presses += 1) {
    await page.getByRole('button', { name: 'Zoom in' }).click()
    await page.waitForTimeout(400)
  }
  await page.getByRole('button', { name: 'Search this area' }).click()
  await expect(page).toHaveURL(/area=/)
  const [west = 0, south = 0, east = 0, north = 0] = new URL(page.url()).searchParams.get('area')!.split(',').map(Number)
  expect((south + north) / 2).toBeCloseTo(39.74, 1)
  expect((west + east) / 2).toBeCloseTo(-104.98, 1)
})
