import { expect, type Page, test } from '@playwright/test'
import { scriptLimits } from '#scripts/first-load.mjs'
import { appIsThere } from './app.ts'
import { builtFile } from './built-files.ts'
import { findBusinesses } from './directory.ts'
import { joinByCall, newPerson } from './people.ts'

test.use({ viewport: { width: 412, height: 823 }, hasTouch: true, isMobile: true })

/** Scripts that a page has loaded once the network is idle, by path, in bytes as transferred. */
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

/** On a busy machine, prerendering may exceed its time limit: reloads then. */
async function openDrawn(page: Page, address: string): Promise<void> {
  await expect(async () => {
    const answer = await page.goto(address)
    expect(await answer?.text()).toContain('<div id="root" data-ahead>')
  }).toPass()
}

/** A register listing, as most businesses are. */
async function businessPath(page: Page): Promise<string> {
  const [business] = await findBusinesses(page, 'type=dispensary&near=Boulder,+CO&limit=1')
  return `/business/${business?.id}`
}

test('loads at most 130 KB of script to sign in, and nothing of the screen behind it until signed in', async ({ page }) => {
  const address = await businessPath(page)
  const screen = builtFile('routes/business.$id.tsx')
  await openDrawn(page, '/discover')
  const first = total(await scriptsOf(page))
  expect(first).toBeGreaterThan(50_000)
  expect(first).toBeLessThanOrEqual(scriptLimits.signIn)
  const person = newPerson()
  await joinByCall(page, person)
  await page.context().clearCookies()

  await openDrawn(page, address)
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
    await openDrawn(page, address)
    expect(total(await scriptsOf(page)), address).toBeLessThanOrEqual(scriptLimits.members)
  }
})

test('shows lower sections from the start and hydrates them on first interaction', async ({ page }) => {
  await joinByCall(page, newPerson())
  await openDrawn(page, await businessPath(page))
  const license = page.getByRole('region', { name: 'License' })
  await expect(license).toContainText('Number')
  const before = await scriptsOf(page)
  await expect(license.locator('[data-later]')).toBeAttached()

  await page.mouse.wheel(0, 200)
  await expect(license.locator('[data-later]')).not.toBeAttached()
  await expect(license).toContainText('Number')
  expect((await scriptsOf(page)).size).toBeGreaterThan(before.size)
})

test('keeps an unhydrated section offline and hydrates it once back online', async ({ page, context }) => {
  await joinByCall(page, newPerson())
  await openDrawn(page, await businessPath(page))
  await scriptsOf(page)
  const license = page.getByRole('region', { name: 'License' })
  await context.setOffline(true)
  await license.scrollIntoViewIfNeeded()
  await page.waitForTimeout(500)
  await expect(license).toContainText('Number')
  await expect(license.locator('[data-later]')).toBeAttached()
  await context.setOffline(false)
  await expect(license.locator('[data-later]')).not.toBeAttached()
  await expect(license).toContainText('Number')
})
