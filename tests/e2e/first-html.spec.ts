import { expect, type Page, test } from '@playwright/test'
import { appIsThere, hold } from './app.ts'
import { cards, findBusinesses } from './directory.ts'
import { joinByCall, newPerson } from './people.ts'

/**
 * Opens a page without the app's code, which shows the server's HTML. On a busy machine, prerendering may exceed its time limit:
 * reloads then. @returns a function that lets the code load
 */
async function openWithoutApp(page: Page, address: string): Promise<() => void> {
  const goOn = await hold(page, /\/assets\/.*\.js$/)
  await expect(async () => {
    await page.goto(address, { waitUntil: 'commit' })
    await expect(page.locator('#root[data-ahead]')).toBeAttached({ timeout: 2000 })
  }).toPass()
  return goOn
}

test.describe('the HTML before hydration', () => {
  test('keeps typed input and never submits it', async ({ page }) => {
    const addresses: string[] = []
    page.on('request', (request) => addresses.push(request.url()))
    const goOn = await openWithoutApp(page, '/favorites')
    await page.getByRole('textbox', { name: 'Email' }).fill('robin@example.com')
    await page.getByLabel('Password', { exact: true }).fill('a secret of mine')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Sign In', exact: true }).focus()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/favorites')
    goOn()
    await appIsThere(page)
    await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue('robin@example.com')
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue('a secret of mine')
    await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeFocused()
    expect(addresses.filter((address) => /secret/.test(address))).toEqual([])
    expect(page.url()).not.toContain('secret')
  })

  test('supports searching', async ({ page }) => {
    await openWithoutApp(page, '/landing')
    await page.getByRole('searchbox', { name: 'Search' }).fill('Denver, CO')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/search?q=Denver%2C+CO')
  })

  test('is hydrated without redrawing', async ({ page }) => {
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(`${new URL(page.url()).pathname}: ${error.message}`))
    const goesOn = async (address: string) => {
      const goOn = await openWithoutApp(page, address)
      // An element that React recreates would lose it.
      await page.getByRole('main').evaluate((main) => main.setAttribute('data-seen', ''))
      goOn()
      await appIsThere(page)
      await expect(page.getByRole('main')).toHaveAttribute('data-seen', '')
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    }
    for (const address of ['/landing', '/help', '/sungrove', '/favorites?tab=1', '/post/some']) await goesOn(address)
    await joinByCall(page, newPerson())
    const [business] = await findBusinesses(page, 'near=Boulder,+CO&limit=1')
    for (const address of ['/discover', `/business/${business?.id}`, `/business/${business?.id}?tab=reviews`]) await goesOn(address)
    expect(problems).toEqual([])
  })

  test('keeps the focus in place', async ({ page }) => {
    const goOn = await openWithoutApp(page, '/help')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('main')).toBeFocused()
    goOn()
    await appIsThere(page)
    await expect(page.getByRole('main')).toBeFocused()
  })

  test('includes the businesses of Discover', async ({ page }) => {
    await joinByCall(page, newPerson())
    await openWithoutApp(page, '/discover')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(cards(page).first()).toBeVisible()
  })

  test('accepts continuous typing in two similar fields during hydration', async ({ page }) => {
    await joinByCall(page, newPerson())
    const goOn = await openWithoutApp(page, '/discover')
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    const field = page.getByLabel('Name or keyword')
    const text = 'someone who looks for a farm and types without a pause, however long it takes'
    await field.pressSequentially(text.slice(0, 8))
    goOn()
    await field.pressSequentially(text.slice(8), { delay: 30 })
    await appIsThere(page)
    await expect(field).toHaveValue(text)
    await expect(field).toBeFocused()
  })

  test('ignores presses on the theme switch until it works', async ({ page }) => {
    const goOn = await openWithoutApp(page, '/help')
    const dark = page.getByRole('contentinfo').getByRole('radio', { name: 'Dark' })
    await dark.click({ force: true })
    await expect(dark).not.toBeChecked()
    goOn()
    await dark.check()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  })

  test('accepts no press that would be lost', async ({ page }) => {
    await joinByCall(page, newPerson())
    const [business] = await findBusinesses(page, 'near=Boulder,+CO&limit=1')
    const goOn = await openWithoutApp(page, `/business/${business?.id}`)
    const tab = page.getByRole('tab', { name: 'Posts' })
    await expect(tab).toBeVisible()
    await expect(tab).toHaveCSS('pointer-events', 'none')
    goOn()
    await tab.click()
    await expect(tab).toHaveAttribute('aria-selected', 'true')
  })
})
