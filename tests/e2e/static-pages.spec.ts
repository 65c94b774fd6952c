import { expect, test } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { hold } from './app.ts'
import { passAgeGate } from './people.ts'

const pages = {
  '/landing': 'Your Brand. Your Culture. Your Network',
  '/sungrove': 'Sungrove plans',
  '/help': 'Help center',
  '/guidelines': 'Community guidelines',
  '/rules': 'Rules for advertising, by place',
  '/resources': 'Business resources',
  '/contact': 'Contact us',
  '/privacy': 'Privacy policy',
  '/terms': 'Terms of service',
  '/data': 'Where the data comes from',
  '/developers': 'For developers',
  '/accessibility': 'Accessibility',
}

test.describe('a static page without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('shows each page’s heading and footer, but no theme switch', async ({ page }) => {
    for (const [path, heading] of Object.entries(pages)) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 }), path).toHaveText(heading)
      await expect(page.getByRole('contentinfo').getByRole('link', { name: 'Accessibility' }), path).toBeVisible()
      await expect(page.getByRole('group', { name: 'Theme' }), path).toBeHidden()
    }
  })

  test('lets visitors pass the age gate and choose an account', async ({ page }) => {
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Age Verification Required')
    // The browser requires the box to be checked.
    await page.getByRole('button', { name: 'Enter Sungrove' }).click()
    await expect(page.getByRole('checkbox')).toHaveJSProperty('validity.valueMissing', true)
    await page.getByLabel('I confirm that I am 18 years or older').check()
    await page.getByRole('button', { name: 'Enter Sungrove' }).click()
    await expect(page).toHaveURL('/')
    await expect(page.getByRole('heading', { name: 'Business Account' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Sign Up as User' })).toHaveAttribute('href', '/signup?accountType=consumer')
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Personal Account' })).toBeVisible()
  })

  test('submits the landing page’s search to the search page', async ({ page }) => {
    await page.goto('/landing')
    await page.getByRole('searchbox', { name: 'Search' }).fill('Denver, CO')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/search?q=Denver%2C+CO')
  })
})

test('lets no one past the age gate without a confirmation', async ({ page }) => {
  for (const form of [{}, { confirmed: undefined, other: 'on' }]) {
    const answer = await page.request.post('/age-gate', { form: form as Record<string, string> })
    expect(await answer.text()).toContain('Age Verification Required')
  }
  expect((await page.request.post('/age-gate', { form: { confirmed: 'x'.repeat(10_000) } })).status()).toBe(413)
  expect(await (await page.request.post('/age-gate', { form: { confirmed: 'on' } })).text()).toContain('Personal Account')
})

test('applies a theme chosen before the script has loaded, and keeps it on every page', async ({ page }) => {
  const goOn = await hold(page, /\/assets\/.*\.js$/)
  await page.goto('/help', { waitUntil: 'commit' })
  const dark = page.getByRole('contentinfo').getByRole('radio', { name: 'Dark' })
  await dark.check({ force: true })
  goOn()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.goto('/terms')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(dark).toBeChecked()
  await page.getByRole('contentinfo').getByRole('radio', { name: 'Same as device' }).check({ force: true })
  await expect(page.locator('html')).not.toHaveAttribute('data-theme')
})

test('lets visitors pass the age gate by keyboard and is accessible before and after it', async ({ page }) => {
  await page.goto('/')
  await expectAccessible(page)
  await page.getByRole('checkbox').focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Enter Sungrove' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'What brings you here?' })).toBeVisible()
  await expectAccessible(page)
})

test.describe('a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('hides the landing page’s search behind a button', async ({ page }) => {
    await page.goto('/landing')
    const box = page.getByRole('searchbox', { name: 'Search' })
    await expect(box).toBeHidden()
    await page.getByRole('button', { name: 'Search' }).tap()
    await expect(box).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(box).toBeHidden()
    await page.getByRole('button', { name: 'Search' }).tap()
    await box.fill('Denver')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/search?q=Denver')
  })
})

test('doesn’t repeat the age gate at sign-up for visitors who passed it', async ({ page }) => {
  await page.goto('/')
  await passAgeGate(page)
  await page.getByRole('link', { name: 'Sign Up as User' }).click()
  await expect(page.getByRole('radio', { name: 'Personal' })).toBeChecked()
})
