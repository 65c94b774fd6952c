import { expect, type Page, test } from '@playwright/test'
import { axeFindings, expectAccessible } from './accessibility.ts'
import { appIsThere } from './app.ts'
import { builtFile } from './built-files.ts'
import { joinByCall, newPerson } from './people.ts'

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

async function join(page: Page) {
  await joinByCall(page, newPerson())
}

const focused = (page: Page) => page.locator(':focus')

test.describe('the header', () => {
  test('links to main screens, searches Discover for trimmed text, and signs out through a keyboard-accessible menu', async ({ page }) => {
    await join(page)
    await page.goto('/')
    const nav = page.getByRole('banner').getByRole('navigation', { name: 'Main' })
    await expect(nav.getByRole('link')).toHaveText(['Home', 'Discover', 'Favorites', 'Communities'])
    await expect(nav.getByRole('link', { name: 'Home' })).toHaveAttribute('aria-current', 'page')
    await nav.getByRole('link', { name: 'Favorites' }).click()
    await expect(page).toHaveURL('/favorites')
    await expect(nav.getByRole('link', { name: 'Favorites' })).toHaveAttribute('aria-current', 'page')
    await expect(nav.getByRole('link', { name: 'Home' })).not.toHaveAttribute('aria-current')

    const box = page.getByRole('banner').getByRole('combobox', { name: 'Search' })
    await box.fill('   ')
    await box.press('Enter')
    await expect(page).toHaveURL('/favorites')
    await box.fill('  green & gold ')
    await box.press('Enter')
    await expect(page).toHaveURL((url) => url.pathname === '/discover' && url.searchParams.get('search') === 'green & gold')
    // The heading takes focus once the screen has loaded.
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()

    const button = page.getByRole('button', { name: 'Account: Robin Vale' })
    const menu = page.getByRole('dialog', { name: 'Account' })
    await button.focus()
    await page.keyboard.press('Enter')
    await expect(menu).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(menu.getByRole('link', { name: 'Profile' })).toBeFocused()
    await expect(menu.getByRole('link', { name: 'Contact Support' })).toHaveAttribute('href', /^mailto:/)
    await page.keyboard.press('Escape')
    await expect(menu).toBeHidden()
    await expect(button).toBeFocused()
    await button.click()
    await menu.getByRole('link', { name: 'Sign out' }).click()
    await expect(button).toBeHidden()
    expect((await page.request.get('/api/auth/user')).status()).toBe(401)
  })
})

test.describe('a phone', () => {
  test.use(phone)

  test('offers navigation in the bottom bar and its sheet', async ({ page }) => {
    await join(page)
    await page.goto('/')
    const bar = page.getByRole('navigation', { name: 'Main' })
    await bar.getByRole('link', { name: 'Discover' }).tap()
    await expect(page).toHaveURL('/discover')
    await expect(bar.getByRole('link', { name: 'Discover' })).toHaveAttribute('aria-current', 'page')
    for (const target of await bar.locator('a, button').all()) {
      const box = await target.boundingBox()
      expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44)
    }
    await bar.getByRole('button', { name: 'More' }).tap()
    const sheet = page.getByRole('dialog', { name: 'More' })
    await expect(sheet.getByRole('link', { name: 'Sign out' })).toBeVisible()
    await sheet.getByRole('link', { name: 'Help Center' }).tap()
    await expect(page).toHaveURL('/help')
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  })
})

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`the ${colorScheme} theme`, () => {
    // Chromium reports wrong colors for open menus if the theme changes, so each theme uses a fresh page.
    test.use({ colorScheme, contextOptions: { reducedMotion: 'reduce' } })

    test('has menus without axe violations', async ({ page }) => {
      await join(page)
      await page.goto('/favorites')
      await page.getByRole('button', { name: 'Account: Robin Vale' }).click()
      await expect(page.getByRole('dialog', { name: 'Account' }).getByRole('link', { name: 'Sign out' })).toBeVisible()
      expect(await axeFindings(page)).toEqual([])
      await page.keyboard.press('Escape')
      await page.setViewportSize(phone.viewport)
      await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'More' }).click()
      await expect(page.getByRole('dialog', { name: 'More' }).getByRole('link', { name: 'Sign out' })).toBeVisible()
      expect(await axeFindings(page)).toEqual([])
    })
  })
}

test.describe('focus', () => {
  test('starts at the skip link, which skips the header', async ({ page }) => {
    await page.goto('/help')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(focused(page)).toHaveText('Skip to content')
    await expect(focused(page)).toBeInViewport()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('main')).toBeFocused()
    await expect(page).toHaveURL('/help#main')
    await page.keyboard.press('Tab')
    await expect(focused(page)).toHaveText('Getting started')
  })

  test('moves to the heading of a new screen, which also becomes the page’s title', async ({ page }) => {
    await join(page)
    await page.goto('/help')
    await expect(page).toHaveTitle('Help center · Sungrove')
    await appIsThere(page)
    await expect(page.getByRole('heading', { level: 1 })).not.toBeFocused()
    await page.getByRole('contentinfo').getByRole('link', { name: 'Contact Us' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Contact us' })).toBeFocused()
    await expect(page).toHaveTitle('Contact us · Sungrove')
    await page.goBack()
    await expect(page.getByRole('heading', { level: 1, name: 'Help center' })).toBeFocused()
  })
})

test.describe('the theme', () => {
  test.use({ colorScheme: 'light' })

  test('is saved and applied from the first paint', async ({ page }) => {
    await page.goto('/help')
    const ground = () =>
      page.evaluate(async () => {
        // Wait for the transition between themes to finish.
        await Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined)))
        return getComputedStyle(document.documentElement).backgroundColor
      })
    const light = await ground()
    await page.getByRole('contentinfo').getByRole('radio', { name: 'Dark' }).check()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    const dark = await ground()
    expect(dark).not.toBe(light)

    // The server's HTML contains the choice before any script has run.
    expect(await (await page.request.get('/help')).text()).toContain('data-theme="dark"')
    await page.route('**/*.js', (route) => route.abort())
    await page.reload()
    expect(await ground()).toBe(dark)

    await page.unroute('**/*.js')
    await page.reload()
    await expect(page.getByRole('contentinfo').getByRole('radio', { name: 'Dark' })).toBeChecked()
    await page.getByRole('contentinfo').getByRole('radio', { name: 'Same as device' }).check()
    await page.reload()
    expect(await ground()).toBe(light)
  })
})

test.describe('a tooltip', () => {
  test('opens after 700 ms, or immediately within 300 ms of another, and closes on Escape or a press', async ({ page }) => {
    await join(page)
    await page.goto('/')
    const header = page.getByRole('banner')
    const [messages, bell] = [header.getByRole('link', { name: 'Messages' }), header.getByRole('button', { name: 'Notifications' })]
    const tip = page.getByRole('tooltip', { includeHidden: true })
    // The first hover loads the tooltips' code.
    await messages.hover()
    await expect(tip).toHaveText('Messages')
    await page.mouse.move(700, 600)
    await expect(tip).toHaveCount(0)

    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    await messages.hover()
    await page.clock.runFor(699)
    await expect(tip).toHaveCount(0)
    await page.clock.runFor(1)
    await expect(tip).toHaveText('Messages')
    await expect(tip).toBeInViewport()
    // The tooltip remains open while the pointer is over it.
    await tip.hover()
    await page.clock.runFor(1000)
    await expect(tip).toHaveText('Messages')

    await page.mouse.move(700, 600)
    await page.clock.runFor(100)
    await expect(tip).toHaveCount(0)
    await page.clock.runFor(299)
    await bell.hover()
    await page.clock.runFor(0)
    await expect(tip).toHaveText('Notifications')
    await page.keyboard.press('Escape')
    await expect(tip).toHaveCount(0)

    await page.mouse.move(700, 600)
    await page.clock.runFor(300)
    await bell.hover()
    await page.clock.runFor(699)
    await expect(tip).toHaveCount(0)
    await page.clock.runFor(1)
    await expect(tip).toHaveText('Notifications')
    await bell.click()
    await expect(tip).toHaveCount(0)
  })

  test('immediately shows the name of a control reached by Tab', async ({ page }) => {
    await join(page)
    await page.goto('/')
    const messages = page.getByRole('banner').getByRole('link', { name: 'Messages' })
    await expect(messages).toBeVisible()
    await page.keyboard.press('Tab')
    for (let i = 0; i < 20 && !(await messages.evaluate((element) => element === document.activeElement)); i++)
      await page.keyboard.press('Tab')
    await expect(page.getByRole('tooltip', { includeHidden: true })).toHaveText('Messages')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('tooltip', { name: 'Messages', includeHidden: true })).toHaveCount(0)
  })
})

test.describe('an unknown address', () => {
  test('shows that the page doesn’t exist and offers other links', async ({ page }) => {
    await join(page)
    // Developer screens aren't part of the build.
    for (const path of ['/nowhere', '/nowhere/at/all', '/dev/ui', '/dev/plots']) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1, name: '404 Page Not Found' })).toBeVisible()
    }
    await expectAccessible(page)
    await page.getByRole('main').getByRole('link', { name: 'Discover businesses' }).click()
    await expect(page).toHaveURL('/discover')
  })
})

test.describe('a failure', () => {
  const missing = 'This page couldn’t be loaded'

  test('is reported for a screen whose code fails to load, until the person presses Reload', async ({ page, context }) => {
    await join(page)
    await page.goto('/help')
    await appIsThere(page)
    let loads = 0
    page.on('framenavigated', () => loads++)
    await context.setOffline(true)
    await page.getByRole('contentinfo').getByRole('link', { name: 'Contact Us' }).click()
    await expect(page.getByRole('heading', { level: 1, name: missing })).toBeFocused()
    await expect(page).toHaveTitle(`${missing} · Sungrove`)
    await expect(page.getByRole('banner')).toBeVisible()
    await expectAccessible(page)
    await context.setOffline(false)
    await page.getByRole('button', { name: 'Reload' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Contact us' })).toBeVisible()
    // One load for the new address and one for the button.
    expect(loads).toBe(2)
  })

  test('is reported for a screen outside the router', async ({ page }) => {
    const authScreen = `**${builtFile('screens/sign-in/auth-screen.tsx')}`
    await page.route(authScreen, (route) => route.abort())
    await page.goto('/discover')
    await expect(page.getByRole('main').getByRole('heading', { level: 1, name: missing })).toBeVisible()
    await page.unroute(authScreen)
    await page.getByRole('button', { name: 'Reload' }).click()
    await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible()
  })

  test('leaves the rest of the page in place if only one screen fails', async ({ page }) => {
    await join(page)
    await page.route(`**${builtFile('routes/contact.tsx?tsr-split=component')}`, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: 'export function component() { throw new Error("broken") }' }),
    )
    await page.goto('/contact')
    await expect(page.getByRole('heading', { level: 1, name: 'Something went wrong on this page' })).toBeVisible()
    await page.getByRole('contentinfo').getByRole('link', { name: 'Help Center' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Help center' })).toBeFocused()
  })

  test('shows a toast’s message as plain text if the toast’s code fails to load', async ({ page, context }) => {
    await page.goto('/auth')
    await page.getByLabel('Email').fill('robin@example.org')
    await page.getByLabel('Password', { exact: true }).fill('a long enough password')
    await context.setOffline(true)
    await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click()
    const alert = page.getByRole('alert').filter({ hasText: 'Login failed' })
    await expect(alert).toContainText('No connection to the server. Check your network and try again.')
    await alert.getByRole('button', { name: 'Dismiss' }).click()
    await expect(alert).toBeHidden()
    await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click()
    await expect(alert).toBeVisible()
    await expect(alert).toBeHidden()
    await expect(page.getByLabel('Email')).toHaveValue('robin@example.org')
  })
})
