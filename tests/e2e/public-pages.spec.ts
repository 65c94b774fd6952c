import { expect, test } from '@playwright/test'
import { most } from '../../scripts/first-load.mjs'
import { expectAccessible } from './accessibility.ts'
import { appIsThere } from './app.ts'

const pages = {
  '/help': 'Help center',
  '/guidelines': 'Community guidelines',
  '/rules': 'Rules for advertising, by place',
  '/resources': 'Business resources',
  '/contact': 'Contact us',
  '/privacy': 'Privacy policy',
  '/terms': 'Terms of service',
  '/data': 'Where the data comes from',
}

test.describe('the landing page', () => {
  test('says what the specification says', async ({ page }) => {
    await page.goto('/landing')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your Brand. Your Culture. Your Network')
    await expect(page.getByText('Own a business?')).toBeVisible()
    await expect(page.getByRole('heading', { level: 2 }).filter({ hasNotText: /^For |^Support$/ })).toHaveText([
      'Everything You Need to Stay Connected',
      'Choose Your Subscription',
      'Own a Cannabis Business?',
    ])
    const main = page.getByRole('main')
    for (const name of [
      'Exclusive Access',
      'Rate & Review',
      'Follow & Favorite',
      'Real-time Updates',
      'Verified Businesses',
      'Sustainable Focus',
    ]) {
      await expect(main.getByRole('heading', { level: 3, name })).toBeVisible()
    }
    const pro = main.getByRole('article').filter({ hasText: 'Most Popular' })
    await expect(pro.getByRole('heading')).toHaveText('Pro')
    await expect(pro).toContainText('$150')
    await expect(main.getByRole('article').filter({ hasText: '$39.99' }).getByRole('heading')).toHaveText('VIP')
    await expectAccessible(page)
  })

  test('every button that signs in, signs up, chooses or registers goes to the sign-in address', async ({ page }) => {
    await page.goto('/landing')
    const names = ['Sign In', 'Sign Up', 'Business Sign In', 'Register Your Business', 'Select Basic', 'Select Premium', 'Select VIP']
    for (const name of names) {
      const buttons = page.locator('header, main').getByRole('link', { name, exact: true })
      await expect(buttons, name).toHaveCount(name === 'Register Your Business' ? 2 : 1)
      for (const button of await buttons.all()) await expect(button).toHaveAttribute('href', '/api/login')
    }
    await page.getByRole('link', { name: 'Sign Up', exact: true }).click()
    await expect(page).toHaveURL(/\/auth/)
  })

  test('search takes the trimmed text along, and nothing happens without one', async ({ page }) => {
    const searches: string[] = []
    await page.goto('/landing')
    await appIsThere(page)
    page.on('framenavigated', (frame) => searches.push(new URL(frame.url()).pathname))
    const box = page.getByRole('searchbox', { name: 'Search' })
    await box.fill('  ')
    await box.press('Enter')
    await expect(page).toHaveURL('/landing')
    expect(searches).toEqual([])
    await box.fill(' Denver, CO ')
    await box.press('Enter')
    // A visitor meets the sign-in form, which goes on to the search afterwards.
    await expect(page).toHaveURL((url) => url.pathname === '/search' && /^\?q=Denver(%2C|,)(%20|\+)CO$/.test(url.search))
    await expect(page.getByRole('heading', { level: 1, name: 'Sign in to see the search results' })).toBeVisible()
  })

  test('Learn More goes to the business section of the plans', async ({ page }) => {
    await page.goto('/landing')
    await page.getByRole('link', { name: 'Learn More' }).click()
    await expect(page).toHaveURL('/sungrove#business')
    await expect(page.getByRole('heading', { name: 'What your business gets without a plan' })).toBeInViewport()
  })

  test('loads at most 110 KB of script', async ({ page }) => {
    await page.goto('/landing', { waitUntil: 'networkidle' })
    const bytes = await page.evaluate(() =>
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
        .filter((entry) => new URL(entry.name).pathname.endsWith('.js'))
        .reduce((sum, entry) => sum + entry.encodedBodySize, 0),
    )
    expect(bytes).toBeGreaterThan(0)
    expect(bytes).toBeLessThanOrEqual(most.visitors)
  })

  test('fits every width', async ({ page }) => {
    await page.goto('/landing')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    for (const width of [320, 390, 834, 1440, 2200]) {
      await page.setViewportSize({ width, height: 900 })
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    }
  })
})

test.describe('the plans page', () => {
  test('offers two plans, and leads a visitor to signing in', async ({ page }) => {
    await page.goto('/sungrove')
    await expect(page.getByText('Subscribe to unlock visibility, tools, and culture.')).toBeVisible()
    const plans = page.getByRole('region', { name: 'Plans' }).getByRole('article')
    await expect(plans).toHaveCount(2)
    for (const [index, [name, price]] of [
      ['Verified', '$150'],
      ['Pro Partner', '$200'],
    ].entries()) {
      const plan = plans.nth(index)
      await expect(plan.getByRole('heading')).toHaveText(name as string)
      await expect(plan).toContainText(price as string)
      await expect(plan.getByRole('listitem')).toHaveCount(5)
      await expect(plan.getByRole('link', { name: 'Subscribe' })).toHaveAttribute('href', '/api/login?returnTo=%2Fsungrove')
    }
    await expect(plans.nth(1)).toContainText('Most Popular')
    await expect(page.getByRole('heading', { name: 'More pricing plans coming soon!' })).toBeVisible()
    await expect(
      page
        .getByRole('main')
        .getByRole('listitem')
        .filter({ hasText: /^(Starter|Enterprise) Plan$/ }),
    ).toHaveCount(2)
    await expectAccessible(page)
  })
})

test.describe('public pages', () => {
  for (const [path, title] of Object.entries(pages)) {
    test(`${path} is readable by everybody`, async ({ page }) => {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
      await expect(page).toHaveTitle(`${title} · Sungrove`)
      // Every line of the contents leads to a section.
      for (const entry of await page.getByRole('navigation', { name: 'On this page' }).getByRole('link').all()) {
        const id = ((await entry.getAttribute('href')) as string).slice(1)
        await expect(page.locator(`h2#${id}`)).toHaveText((await entry.textContent()) as string)
      }
      await expectAccessible(page)
    })
  }

  test('every link of the footer leads to a page', async ({ page }) => {
    await page.goto('/landing')
    const footer = page.getByRole('contentinfo')
    await expect(footer).toContainText('Licensed cannabis marketplace platform')
    await expect(footer).toContainText(/© 2024–\d{4} Sungrove/)
    for (const [column, names] of Object.entries({
      'For Consumers': ['Browse Businesses', 'Subscription Plans', 'Your Favorites', 'Community Guidelines'],
      'For Businesses': ['Register Your Business', 'Upload Menu', 'Analytics Dashboard', 'Business Resources'],
      Support: ['Help Center', 'Contact Us', 'Privacy Policy', 'Terms of Service', 'Where the data comes from', 'Accessibility'],
    })) {
      await expect(footer.getByRole('navigation', { name: column }).getByRole('link')).toHaveText(names)
    }
    const addresses = await footer.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href') as string))
    for (const address of addresses) {
      await page.goto(address)
      await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.getByText('404 Page Not Found')).toBeHidden()
      const { hash } = new URL(address, 'http://localhost')
      if (hash) await expect(page.locator(hash)).toBeInViewport()
    }
  })

  test('a link to a section inside the site scrolls to it', async ({ page }) => {
    await page.goto('/landing')
    await page.getByRole('contentinfo').getByRole('link', { name: 'Analytics Dashboard' }).click()
    await expect(page).toHaveURL('/resources#analytics')
    await expect(page.getByRole('heading', { level: 2, name: 'Analytics' })).toBeInViewport()
  })
})
