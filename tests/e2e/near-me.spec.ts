import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import type { Product } from '#contracts/menus.ts'
import { type ServerProcess, startServerProcess } from '#tests/support/server-process.ts'
import { cards } from './directory.ts'
import { joinByCall, newPerson } from './people.ts'

// Counts the taps to an open shop and its cheapest eighth, on a server as it is after the first `npm start`, with the shipped directory
// and the demo, on a weekday afternoon in Denver.
base.describe.configure({ mode: 'serial' })

const hourMs = 3_600_000
/** The next Wednesday at 21:00 UTC, which is 2 or 3 PM in Denver; not on a holiday, when the demo's shops are closed. */
function openTime(): number {
  const at = new Date()
  at.setUTCHours(21, 0, 0, 0)
  do at.setTime(at.getTime() + 24 * hourMs)
  while (at.getUTCDay() !== 3 || ['12-25', '01-01'].includes(at.toISOString().slice(5, 10)))
  return at.getTime()
}
const openAt = openTime()

const test = base.extend<object, { server: ServerProcess }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads which fixtures it names
    async ({}, use) => {
      const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'sungrove-near-'))
      const clockFile = path.join(dataDir, 'clock-ahead')
      fs.writeFileSync(clockFile, String(openAt - Date.now()))
      const server = await startServerProcess(dataDir, {
        DATABASE_URL: '',
        PUBLIC_URL: '',
        DEMO_DATA: 'on',
        NODE_ENV: 'test',
        RATE_LIMIT_SCALE: '10000',
        MAX_EVENT_LOOP_DELAY_MS: '0',
        NODE_OPTIONS: `--import=${encodeURI(`file://${path.resolve('tests/support/clock-preload.ts')}`)}`,
        CLOCK_FILE: clockFile,
      })
      await use(server)
      server.child.kill('SIGTERM')
      await server.ended
      fs.rmSync(dataDir, { recursive: true, force: true })
    },
    { scope: 'worker', timeout: 180_000 },
  ],
})
test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, timezoneId: 'America/Denver' })
test.beforeEach(async ({ page }) => page.clock.setSystemTime(openAt))
test.use({ baseURL: async ({ server }, use) => use(server.url.replace('127.0.0.1', 'localhost')) })

/** Counts trusted clicks and taps on the page. */
async function countTaps(context: BrowserContext): Promise<() => number> {
  let count = 0
  await context.exposeBinding('countTap', () => {
    count++
  })
  await context.addInitScript(() => {
    // Runs before the page can stop the event or navigate away.
    addEventListener('click', (event) => event.isTrusted && (window as unknown as { countTap(): void }).countTap(), true)
  })
  return () => count
}

/** Public prices of available eighths by item, cheapest first. Read as `member`, because visitors must confirm their age first. */
async function eighthsOf(member: Page, slug: string): Promise<{ name: string; cents: number }[]> {
  const answer = await member.request.get(`/api/businesses/${slug}/products?limit=100`)
  expect(answer.status(), await answer.text()).toBe(200)
  const cents = (price: string) => Math.round(Number(price) * 100)
  return ((await answer.json()) as Product[])
    .flatMap(({ name, variants }) =>
      variants
        .filter(({ weight, weightUnit, isAvailable }) => weight === 3.5 && weightUnit === 'g' && isAvailable)
        .map(({ price, salePrice }) => ({ name, cents: cents(salePrice ?? price) })),
    )
    .sort((one, other) => one.cents - other.cents)
}

const dollars = (cents: number) => `$${cents / 100}`

test('takes a visitor in three taps to an open, licensed shop with a menu and directions, and in two more to its cheapest eighth', async ({
  page,
  context,
  browser,
  baseURL,
}) => {
  test.slow()
  const taps = await countTaps(context)
  await page.goto('/landing')
  await page
    .getByRole('region', { name: 'Find a licensed shop' })
    .getByRole('link', { name: /^Denver, CO/ })
    .tap()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/licensed dispensaries in Denver, CO$/)
  await expect(page.getByRole('img', { name: /^Map of \d+ of these businesses in Denver, CO$/ })).toBeVisible()
  const first = cards(page).first()
  await expect(first).toContainText(/^Lanternfold.*Open/s)
  await first.getByRole('link').first().tap()
  await page.getByRole('button', { name: 'Yes, I’m 21 or older' }).tap()
  await expect(page.getByText(/^Open now/).first()).toBeVisible()
  await expect(page.getByText('License verified', { exact: true }).first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'Directions' })).toHaveAttribute('href', /^(?:geo:|https:)/)
  await expect(cards(page).first()).toBeVisible()
  expect(taps()).toBe(3)

  const slug = new URL(page.url()).pathname.split('/')[2]!
  const member = await browser.newPage({ baseURL: baseURL! })
  await joinByCall(member, newPerson())
  const [cheapest] = await eighthsOf(member, slug)
  await page.getByRole('navigation', { name: 'Sort by' }).getByRole('link', { name: 'Price of an eighth (3.5 g)' }).tap()
  await expect(page).toHaveURL(/sort=eighth/)
  await cards(page).first().getByRole('link').first().tap()
  await expect(page.getByRole('heading', { level: 1, name: cheapest!.name })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Sizes' })).toContainText(dollars(cheapest!.cents))
  expect(taps()).toBe(5)
})

test('takes a member in three taps to an open shop and in five to its cheapest eighth and subscriber prices', async ({ page, context }) => {
  test.slow()
  await joinByCall(page, newPerson())
  const taps = await countTaps(context)
  await page.goto('/')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Discover' }).tap()
  await expect(page.getByRole('heading', { level: 1, name: 'Near Denver, CO' })).toBeVisible()
  await page.getByRole('button', { name: 'Open now' }).tap()
  await expect(page).toHaveURL(/open=true/)
  await expect(page.getByRole('main').locator('[aria-busy="true"]')).toHaveCount(0)
  await expect(cards(page).first()).toContainText(/Open.*License verified/s)
  await cards(page).first().getByRole('link').tap()
  await expect(page).toHaveURL(/\/business\//)
  await expect(page.getByText(/^Open now/).first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'Directions' }).first()).toHaveAttribute('href', /^(?:geo:|https:)/)
  // On phones, the menu loads when it is scrolled into view.
  await page.mouse.wheel(0, 600)
  await expect(page.getByRole('tab', { name: /^Products/ })).toHaveAttribute('aria-selected', 'true')
  expect(taps()).toBe(3)

  const [cheapest] = await eighthsOf(page, new URL(page.url()).pathname.split('/')[2]!)
  await page.getByRole('button', { name: 'Sort: Category' }).tap()
  await page.getByRole('menuitemradio', { name: 'Price of an eighth (3.5 g)' }).tap()
  await expect(page).toHaveURL(/sort=eighth/)
  const menu = page.getByRole('tabpanel', { name: /^Products/ })
  await expect(menu.getByRole('article').first()).toContainText(cheapest!.name)
  await expect(menu.getByRole('article').first()).toContainText(dollars(cheapest!.cents))
  await expect(menu.getByText(/^\$\d+(\.\d\d)? for subscribers$/).first()).toBeVisible()
  expect(taps()).toBe(5)
})
