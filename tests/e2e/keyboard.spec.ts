import { expect, type Locator, type Page, test } from '@playwright/test'
import { written } from './app.ts'
import { toastWith } from './directory.ts'
import { joinByCall, newPerson } from './people.ts'

const focused = (page: Page) => page.locator(':focus')

/** Presses Tab until the target has focus. Every stop on the way must have a name and a visible focus indicator. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const passed: string[] = []
  for (let pressed = 0; pressed < 40; pressed++) {
    await page.keyboard.press(key)
    // The browser's own controls come after the last stop.
    if ((await focused(page).count()) === 0) break
    const stop = await focused(page).ariaSnapshot()
    passed.push(stop.split('\n', 1)[0] ?? '')
    // An entry like "- link:" has no name.
    expect(passed.at(-1), 'a stop without a name').not.toMatch(/^- (button|link|switch|textbox|combobox|checkbox|radio)(:|$)/)
    expect(await isShown(page), `no sign of the focus on ${passed.at(-1)}`).toBe(true)
    if (await target.evaluate((element) => element === document.activeElement)) return
  }
  throw new Error(`not reached by ${key}, which stopped at:\n${passed.join('\n')}`)
}

/** Whether focus is visible: an outline on the element, on an ancestor, or on a sibling if the control is under its picture. */
const isShown = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const hasOutline = (element: Element | null, part?: string) => {
      if (!element) return false
      const { outlineStyle, outlineWidth } = getComputedStyle(element, part)
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0
    }
    const at = document.activeElement
    if (hasOutline(at) || hasOutline(at, '::before') || hasOutline(at, '::after') || hasOutline(at?.nextElementSibling ?? null)) return true
    return hasOutline(at?.parentElement ?? null) || hasOutline(at?.parentElement?.parentElement ?? null)
  })

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

test('signs in, searches, opens a business, subscribes, changes a setting, and signs out without a mouse', async ({ page }) => {
  // Checks every tab stop on the way.
  test.slow()
  const person = newPerson()
  await joinByCall(page, person)
  await page.context().clearCookies()

  await page.goto('/auth')
  const main = page.getByRole('main')
  await expect(main.getByLabel('Email')).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(focused(page)).toMatchAriaSnapshot('- link "Skip to content"')
  await page.keyboard.press('Enter')
  await expect(main).toBeFocused()
  await tabTo(page, main.getByLabel('Email'))
  await page.keyboard.type(person.email)
  await tabTo(page, main.getByLabel('Password', { exact: true }))
  await page.keyboard.type(person.password)
  await page.keyboard.press('Enter')
  await expect(heading(page, `Welcome, ${person.firstName} ${person.lastName}`)).toBeVisible()

  // Tab reaches the search field in the header.
  const box = page.getByRole('banner').getByRole('combobox', { name: 'Search' })
  await expect(box).toBeVisible()
  await tabTo(page, box)
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Search' })
  await expect(palette.getByRole('combobox', { name: 'Search' })).toBeFocused()
  await page.keyboard.type('lanternfold disp')
  const chosen = palette.getByRole('option', { selected: true })
  await expect(chosen).toContainText('Lanternfold Dispensary')
  await expect(palette.getByRole('status')).toHaveText(/^\d+ results?$/)
  await page.keyboard.press('Enter')
  await expect(heading(page, 'Lanternfold Dispensary')).toBeFocused()

  // The placeholder shown until subscriptions have loaded can't be focused.
  const subscribe = main.getByRole('button', { name: 'Subscribe free', exact: true })
  await expect(subscribe).toBeEnabled()
  await tabTo(page, subscribe)
  await page.keyboard.press('Enter')
  await expect(toastWith(page, 'Subscribed!')).toBeVisible()
  // Focus remains on the button, which now unsubscribes.
  await expect(focused(page)).toMatchAriaSnapshot('- button "Unsubscribe"')

  // The palette also finds pages.
  await page.keyboard.press('Control+k')
  await expect(palette.getByRole('combobox', { name: 'Search' })).toBeFocused()
  await page.keyboard.type('settings')
  await expect(chosen).toHaveText('Settings')
  await page.keyboard.press('Enter')
  await expect(heading(page, 'Settings')).toBeFocused()
  await tabTo(page, page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Privacy & Visibility' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 2, name: 'Privacy & Visibility' })).toBeFocused()
  const location = page.getByRole('switch', { name: 'Location Sharing' })
  await expect(location).toBeChecked()
  await tabTo(page, location)
  const saved = written(page, /\/settings\/privacy$/)
  await page.keyboard.press('Space')
  await expect(location).not.toBeChecked()
  await saved
  await page.reload()
  await expect(location).not.toBeChecked()

  // The section in the address gets focus once its content has loaded.
  await expect(page.getByRole('heading', { level: 2, name: 'Privacy & Visibility' })).toBeFocused()
  const account = page.getByRole('banner').getByRole('button', { name: `Account: ${person.firstName} ${person.lastName}` })
  await expect(account).toBeVisible()
  // Tab continues from the section in the address, so the header is before it.
  await tabTo(page, account, 'Shift+Tab')
  await page.keyboard.press('Enter')
  const menu = page.getByRole('dialog', { name: 'Account' })
  await expect(menu).toBeFocused()
  await tabTo(page, menu.getByRole('link', { name: 'Sign out', exact: true }))
  await page.keyboard.press('Enter')
  await expect(account).toBeHidden()
  expect((await page.request.get('/api/auth/user')).status()).toBe(401)
})

test('gives tabs a single tab stop, and supports wrapping arrow keys, Home, and End', async ({ page }) => {
  await joinByCall(page, newPerson())
  await page.goto('/business/lanternfold-dispensary-denver')
  const tab = (name: string) => page.getByRole('tab', { name, exact: true })
  const panel = page.getByRole('tabpanel')
  // The tabs are plain HTML until they are used.
  await tab('Products').click()
  const steps: [key: string, name: string][] = [
    ['ArrowRight', 'Posts'],
    ['End', 'Business Tools'],
    ['ArrowRight', 'Products'],
    ['ArrowLeft', 'Business Tools'],
    ['Home', 'Products'],
  ]
  for (const [key, name] of steps) {
    await page.keyboard.press(key)
    await expect(tab(name)).toBeFocused()
    await expect(tab(name)).toHaveAttribute('aria-selected', 'true')
    await expect(panel).toHaveAccessibleName(name)
  }
  await page.keyboard.press('Control+ArrowRight')
  await expect(tab('Products')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(panel).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(tab('Products')).toBeFocused()
})
