import { expect, type Page, test } from '@playwright/test'
import { scriptLimits } from '#scripts/first-load.mjs'
import { appIsThere } from './app.ts'
import { builtFile } from './built-files.ts'
import { findBusinesses } from './directory.ts'
import { joinByCall, newPerson } from './people.ts'

test.use({ viewport: { width: 412, height: 823 }, hasTouch: true, isMobile: true })

/** The sizes of a page's scripts by path, in bytes as transferred. Waits until no new script has loaded for a second. */
async function scriptsOf(page: Page): Promise<Map<string, number>> {
  await appIsThere(page)
  const found = await page.evaluate(async () => {
    const scripts = () =>
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).filter(({ name }) => new URL(name).pathname.endsWith('.js'))
    for (let before = -1; before !== scripts().length; ) {
      before = scripts().length
      await new Promise((resolve) => setTimeout(resolve, 1000))
    }
    return scripts().map(({ name, encodedBodySize }) => [new URL(name).pathname, encodedBodySize] as const)
  })
  return new Map(found)
}

const total = (scripts: Map<string, number>) => [...scripts.values()].reduce((sum, bytes) => sum + bytes, 0)

/** A register listing, like most businesses. */
async function businessPath(page: Page): Promise<string> {
  const [business] = await findBusinesses(page, 'type=dispensary&near=Boulder,+CO&limit=1')
  return `/business/${business?.id}`
}

test('loads at most 130 KB of script before sign-in, and the requested screen’s code only afterward', async ({ page }) => {
  const address = await businessPath(page)
  const screen = builtFile('routes/business.$id.tsx')
  await page.goto('/discover')
  const first = total(await scriptsOf(page))
  expect(first).toBeGreaterThan(50_000)
  expect(first).toBeLessThanOrEqual(scriptLimits.signIn)
  const person = newPerson()
  await joinByCall(page, person)
  await page.context().clearCookies()

  await page.goto(address)
  const loaded = await scriptsOf(page)
  expect(total(loaded)).toBeLessThanOrEqual(scriptLimits.signIn)
  expect([...loaded.keys()]).not.toContain(screen)
  await page.getByRole('textbox', { name: 'Email' }).fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page.getByRole('region', { name: 'License' })).toBeVisible()
  expect([...(await scriptsOf(page)).keys()]).toContain(screen)
})

test('loads at most 170 KB of script for members', async ({ page }) => {
  await joinByCall(page, newPerson())
  for (const address of ['/discover', await businessPath(page)]) {
    await page.goto(address)
    expect(total(await scriptsOf(page)), address).toBeLessThanOrEqual(scriptLimits.members)
  }
})

test('loads at most 60 KB of script for a visitor’s pages, and none of the app’s code', async ({ page }) => {
  const app = builtFile('index.html')
  for (const address of ['/', '/landing', '/sungrove', '/help', '/terms']) {
    await page.goto(address)
    const scripts = await scriptsOf(page)
    expect(total(scripts), address).toBeGreaterThan(0)
    expect(total(scripts), address).toBeLessThanOrEqual(scriptLimits.visitors)
    expect([...scripts.keys()], address).not.toContain(app)
  }
})
