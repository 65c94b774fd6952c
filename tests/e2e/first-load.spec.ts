import { expect, type Page, test } from '@playwright/test'
import { most } from '../../scripts/first-load.mjs'
import { appIsThere } from './app.ts'
import { builtFile } from './built-files.ts'
import { findBusinesses } from './directory.ts'
import { joinByCall, newPerson } from './people.ts'

test.use({ viewport: { width: 412, height: 823 }, hasTouch: true, isMobile: true })

/** The scripts that a page has loaded by the time it asks for no more, by their paths, in bytes as they were sent. */
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

/** A busy machine may not make it to draw a page ahead in the time it has: then the page comes again. */
async function openDrawn(page: Page, address: string): Promise<void> {
  await expect(async () => {
    const answer = await page.goto(address)
    expect(await answer?.text()).toContain('<div id="root" data-ahead>')
  }).toPass()
}

/** One from the register, as most are. */
async function businessPath(page: Page): Promise<string> {
  const [business] = await findBusinesses(page, 'type=dispensary&near=Boulder,+CO&limit=1')
  return `/business/${business?.id}`
}

test('whoever is signed out loads at most 130 KB of script to sign in, and nothing of the screen behind the sign-in until they have signed in', async ({
  page,
}) => {
  const address = await businessPath(page)
  const screen = builtFile('routes/business.$id.tsx')
  await openDrawn(page, '/discover')
  const first = total(await scriptsOf(page))
  expect(first).toBeGreaterThan(50_000)
  expect(first).toBeLessThanOrEqual(most.signIn)
  const person = newPerson()
  await joinByCall(page, person)
  await page.context().clearCookies()

  await openDrawn(page, address)
  const loaded = await scriptsOf(page)
  expect(total(loaded)).toBeLessThanOrEqual(most.signIn)
  expect([...loaded.keys()]).not.toContain(screen)
  await page.getByRole('textbox', { name: 'Email' }).fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page.getByRole('region', { name: 'License' })).toBeVisible()
  expect([...(await scriptsOf(page)).keys()]).toContain(screen)
})

test('whoever is signed in loads at most 150 KB', async ({ page }) => {
  await joinByCall(page, newPerson())
  for (const address of ['/discover', await businessPath(page)]) {
    await openDrawn(page, address)
    expect(total(await scriptsOf(page)), address).toBeLessThanOrEqual(most.members)
  }
})

test('parts further down say what they say from the start, and come to life when somebody begins to use the page', async ({ page }) => {
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

test('without a network a part that was not brought to life stays as it is, and comes when there is one', async ({ page, context }) => {
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
