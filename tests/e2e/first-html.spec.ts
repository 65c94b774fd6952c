import { expect, type Page, test } from '@playwright/test'
import { cards, findBusinesses } from './directory.ts'
import { joinByCall, newPerson } from './people.ts'

/** Holds back the app's code until it is called: what stands there by then is the HTML that came with the page. */
async function holdApp(page: Page): Promise<() => void> {
  let goOn = () => {}
  const held = new Promise<void>((resolve) => {
    goOn = resolve
  })
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await held
    await route.continue()
  })
  return goOn
}

const appIsThere = (page: Page) => expect(page.locator('#root')).not.toHaveAttribute('data-ahead', '')

test.describe('the HTML before the app', () => {
  test('keeps what was typed and never sends it', async ({ page }) => {
    const goOn = await holdApp(page)
    const addresses: string[] = []
    page.on('request', (request) => addresses.push(request.url()))
    await page.goto('/favorites', { waitUntil: 'commit' })
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

  test('is searched without the app', async ({ page }) => {
    await holdApp(page)
    await page.goto('/landing', { waitUntil: 'commit' })
    await page.getByRole('searchbox', { name: 'Search' }).fill('Denver, CO')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/search?q=Denver%2C+CO')
  })

  test('leaves the focus where it is', async ({ page }) => {
    const goOn = await holdApp(page)
    await page.goto('/help', { waitUntil: 'commit' })
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('main')).toBeFocused()
    goOn()
    await appIsThere(page)
    await expect(page.getByRole('main')).toBeFocused()
  })

  test('has the businesses of Discover', async ({ page }) => {
    await joinByCall(page, newPerson())
    await holdApp(page)
    await page.goto('/discover', { waitUntil: 'commit' })
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(cards(page).first()).toBeVisible()
  })

  test('takes no press that would be lost', async ({ page }) => {
    await joinByCall(page, newPerson())
    const [business] = await findBusinesses(page, 'near=Boulder,+CO&limit=1')
    const goOn = await holdApp(page)
    await page.goto(`/business/${business?.id}`, { waitUntil: 'commit' })
    const tab = page.getByRole('tab', { name: 'Posts' })
    await expect(tab).toBeVisible()
    await expect(tab).toHaveCSS('pointer-events', 'none')
    goOn()
    await tab.click()
    await expect(tab).toHaveAttribute('aria-selected', 'true')
  })
})
