import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import type { GrowLog } from '#contracts/grow-logs.ts'
import type { Hunt } from '#contracts/hunts.ts'
import { appIsThere, written } from './app.ts'
import { builtFile } from './built-files.ts'
import { joinByCall, newPerson } from './people.ts'
import { startTwoBuilds, type TwoBuilds } from './two-builds.ts'

// The tests share one pair of servers, so they run one after another.
base.describe.configure({ mode: 'default' })

const test = base.extend<{ member: { context: BrowserContext; page: Page } }, { builds: TwoBuilds }>({
  builds: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads which fixtures it names
    async ({}, use) => {
      const builds = await startTwoBuilds()
      await use(builds)
      await builds.close()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  /** A person signed in to the first build, in a browser that may cache pages. */
  member: async ({ browser, builds }, use) => {
    builds.deployFirst()
    const context = await browser.newContext({ baseURL: builds.origin, serviceWorkers: 'allow' })
    const page = await context.newPage()
    await joinByCall(page, newPerson())
    await use({ context, page })
    await context.close()
  },
})

const nextBuild = (page: Page) => page.locator('script[src*="-next."]').first()

/** Addresses of full page loads from now on, including reloads. */
function loadsOf(page: Page): string[] {
  const loads: string[] = []
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads.push(new URL(request.url()).pathname)
  })
  return loads
}

/** Collects the page's offers of a newer version. Call it before opening the page. */
async function offersTo(page: Page): Promise<string[]> {
  const offers: string[] = []
  await page.exposeFunction('tellOffer', (text: string) => offers.push(text))
  await page.addInitScript(() => {
    const { tellOffer } = window as unknown as { tellOffer(text: string): void }
    new MutationObserver((changes) => {
      const added = changes.flatMap(({ addedNodes }) => [...addedNodes]).filter((node) => node instanceof Element)
      // The first toast is added together with its list. If the toasts' code is gone with the older build, a plain alert is shown.
      const form = 'li, [role="alert"]'
      for (const item of added.flatMap((node) => (node.matches(form) ? [node] : [...node.querySelectorAll(form)]))) {
        if (item.textContent.startsWith('A new version')) tellOffer(item.textContent)
      }
    }).observe(document, { childList: true, subtree: true })
  })
  return offers
}

/** Polls quickly: Playwright's intervals grow to a second. */
const often = { intervals: [100] }
/** A busy machine takes a while to load a page after its code has changed. */
const loading = { timeout: 60_000 }

/** Complete builds cached on the device. */
const keptBuilds = (page: Page) =>
  page.evaluate(async () => {
    const names = await caches.keys()
    const whole = await Promise.all(names.map(async (name) => (await (await caches.open(name)).match('/offline/shell')) !== undefined))
    return names.filter((_name, index) => whole[index]).map((name) => (name.endsWith('-next') ? 'next' : 'first'))
  })

/** Marks the page if the frame around its screen ever disappears. */
const markWithoutFrame = (page: Page) =>
  page.evaluate(() => {
    const look = () => {
      if (!document.querySelector('header')) document.documentElement.dataset.frameless = 'yes'
      requestAnimationFrame(look)
    }
    look()
  })

/** Resolves when the page has failed to load this file and shows the fallback. */
const whenMissing = (page: Page, file: string) =>
  page.evaluate(
    (name) =>
      new Promise<void>((resolve) => {
        addEventListener('vite:preloadError', (event) => {
          const { payload } = event as Event & { payload: Error }
          if (payload.message.includes(name)) requestIdleCallback(() => requestAnimationFrame(() => resolve()))
        })
      }),
    file,
  )

const quickLog = (page: Page) => page.getByRole('region', { name: 'Quick Log' }).getByLabel('Notes')

/** Creates a hunt, opens its logs, and waits until the build is cached on the device. */
async function openLogs(page: Page): Promise<{ hunt: Hunt; logs: string }> {
  const answer = await page.request.post('/api/pheno-hunts', { data: { huntName: 'Basement', seedCount: 4 } })
  const hunt = (await answer.json()) as Hunt
  const logs = `/pheno-hunt?tab=logs&hunt=${hunt.id}`
  await page.goto(logs)
  await expect(quickLog(page)).toBeVisible()
  await expect.poll(() => keptBuilds(page), often).toEqual(['first'])
  return { hunt, logs }
}

test('keeps a half-typed post when the code of a menu or a screen is missing, and after a reload', async ({ builds, member: { page } }) => {
  const guide = builtFile('screens/guide/guide.tsx')
  await page.goto('/create-post')
  const frame = page.getByRole('banner')
  await expect(frame.getByRole('button', { name: 'Notifications' })).toBeVisible()
  await expect(page.getByLabel('Title')).toBeVisible()
  await expect(nextBuild(page)).not.toBeAttached()
  const loads = loadsOf(page)
  await markWithoutFrame(page)
  builds.deployNext()

  // The code for the advertising hints loads at the first word, and is missing now.
  await page.getByLabel('Title').fill('Half a title')
  await page.getByLabel('Content').fill('Half of what I wanted to say')
  await frame.getByRole('button', { name: 'Notifications' }).click()
  await expect(page.getByRole('alert')).toContainText('This couldn’t be opened')
  await expect(page.getByLabel('Title')).toHaveValue('Half a title')
  await expect(page.getByRole('alert').getByRole('button', { name: 'Reload' })).toBeVisible()
  await page.getByRole('alert').getByRole('button', { name: 'Dismiss' }).click()

  // The home screen shows newcomers the guide, which has its own code.
  const guideIsGone = whenMissing(page, guide)
  await frame.getByRole('link', { name: 'Home', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This page couldn’t be loaded')
  await guideIsGone
  await page.goBack()
  await expect(page.getByLabel('Title')).toHaveValue('Half a title')
  await page.goForward()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This page couldn’t be loaded')
  await expect(page.getByRole('alert')).toHaveCount(1)
  await expect(page.locator('html')).not.toHaveAttribute('data-frameless')
  // The page doesn't reload until the person asks for it.
  expect(loads).toEqual([])

  await page.getByRole('main').getByRole('button', { name: 'Reload' }).click()
  await expect(nextBuild(page)).toBeAttached(loading)
  await appIsThere(page)
  await frame.getByRole('link', { name: 'Post', exact: true }).click()
  await expect(page.getByLabel('Title')).toHaveValue('Half a title')
  await page.reload()
  await expect(page.getByLabel('Content')).toHaveValue('Half of what I wanted to say')
  expect(loads).toEqual(['/', '/create-post'])
})

test('sends a queued log once, and offers the newer version once, when no dialog is open', async ({
  builds,
  member: { context, page },
}) => {
  test.slow()
  const offers = await offersTo(page)
  const { hunt, logs } = await openLogs(page)
  const sent: string[] = []
  context.on('request', (request) => {
    if (request.method() === 'POST') sent.push(new URL(request.url()).pathname)
  })
  await context.setOffline(true)
  await quickLog(page).fill('Written in the basement')
  await page.getByRole('button', { name: 'Save and next plant' }).click()
  await expect(page.getByRole('button', { name: 'Offline, 1 waiting' })).toBeVisible()
  await quickLog(page).fill('Half a log')

  builds.deployNext()
  await context.setOffline(false)
  await expect(page.getByRole('button', { name: 'Synced' })).toBeVisible()
  const loads = loadsOf(page)

  await page
    .getByRole('article')
    .getByRole('button', { name: /^Actions/ })
    .click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Notes').fill('Half a correction')
  // Browsers check for a newer worker when a page is opened.
  const other = await context.newPage()
  const otherOffers = await offersTo(other)
  const otherLoads = loadsOf(other)
  await other.goto(logs)
  await expect(nextBuild(other)).toBeAttached(loading)
  const isWaiting = () => page.evaluate(async () => Boolean((await navigator.serviceWorker.getRegistration())?.waiting))
  // Installing a worker fetches the whole shell, which takes a while on a busy machine.
  await expect.poll(isWaiting, { ...often, timeout: 60_000 }).toBe(true)
  await page.bringToFront()
  await expect(dialog.getByLabel('Notes')).toHaveValue('Half a correction')
  expect(offers).toEqual([])
  const corrected = written(page, /^\/api\/grow-logs\//)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await corrected
  // The page reports its offers to the test, and a reload could lose one on the way.
  await expect.poll(() => offers.length, often).toBe(1)
  await page.getByRole('button', { name: 'Reload to update' }).click()

  await expect(nextBuild(page)).toBeAttached(loading)
  await expect(quickLog(page)).toHaveValue('Half a log')
  await expect.poll(() => keptBuilds(page), often).toEqual(['next'])
  await context.setOffline(true)
  await page.reload()
  await expect(page.locator('html[data-shell]')).toBeAttached()
  await expect(nextBuild(page)).toBeAttached(loading)
  await expect(quickLog(page)).toHaveValue('Half a log')
  await context.setOffline(false)

  expect(loads).toEqual(['/pheno-hunt', '/pheno-hunt'])
  expect(otherLoads).toEqual(['/pheno-hunt'])
  expect([offers.length, otherOffers.length]).toEqual([1, 0])
  expect(sent).toEqual(['/api/grow-logs'])
  const arrived = (await (await page.request.get(`/api/grow-logs?huntId=${hunt.id}`)).json()) as GrowLog[]
  expect(arrived.map(({ notes }) => notes)).toEqual(['Half a correction'])
})

test('switches to the new build without an offer when the person reloads', async ({ builds, member: { page } }) => {
  const offers = await offersTo(page)
  await openLogs(page)
  await quickLog(page).fill('Half a log')
  const loads = loadsOf(page)
  builds.deployNext()

  await page.reload()
  await expect(nextBuild(page)).toBeAttached(loading)
  await expect(quickLog(page)).toHaveValue('Half a log')
  await expect.poll(() => keptBuilds(page), often).toEqual(['next'])
  await expect(quickLog(page)).toHaveValue('Half a log')
  expect(loads).toEqual(['/pheno-hunt'])
  expect(offers).toEqual([])
})
