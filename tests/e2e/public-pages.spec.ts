import { expect, test } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { appIsThere } from './app.ts'

const pages = {
  '/rules': 'Rules for advertising, by place',
  '/help': 'Help center',
  '/guidelines': 'Community guidelines',
  '/resources': 'Business resources',
  '/contact': 'Contact us',
  '/privacy': 'Privacy policy',
  '/terms': 'Terms of service',
  '/data': 'Where the data comes from',
}

/** The headings that visitors see, by the addresses in the footer. */
const headings: Record<string, string> = {
  ...pages,
  '/discover': 'Sign in to see Discover',
  '/sungrove': 'Sungrove plans',
  '/favorites': 'Sign in to see your favorites',
  '/accessibility': 'Accessibility',
}

test.describe('the landing page', () => {
  test('has the specified text, buttons to sign in, and working footer links', async ({ page }) => {
    await page.goto('/landing')
    await expect(page.getByRole('banner').getByRole('link', { name: 'Sungrove', exact: true })).toBeVisible()
    await expect(page.getByRole('banner').getByRole('link', { name: 'Sign In', exact: true })).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your Brand. Your Culture. Your Network')
    await expect(page.getByText('Own a business?')).toBeVisible()
    // Other tests' menus and reviews also appear on this page.
    const ofContent = /^For |^Support$|^Menus confirmed this week$|^What people say$/
    await expect(page.getByRole('heading', { level: 2 }).filter({ hasNotText: ofContent })).toHaveText([
      'Find a licensed shop',
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
    const cards = main.locator('section', { hasText: 'Choose Your Subscription' }).getByRole('article')
    await expect(cards).toHaveCount(3)
    for (const [index, [name, price, button, features]] of (
      [
        ['Starter', '$75', 'Select Basic', ['Unlimited menu uploads', 'Basic product updates', 'Community access']],
        [
          'Pro',
          '$150',
          'Select Premium',
          ['Follow unlimited businesses', 'Exclusive content access', 'Early product notifications', 'Special member pricing'],
        ],
        ['VIP', '$39.99', 'Select VIP', ['All Premium features', 'Direct business messaging', 'VIP-only events', 'Concierge support']],
      ] as const
    ).entries()) {
      const card = cards.nth(index)
      await expect(card.getByRole('heading')).toHaveText(name)
      await expect(card.getByText(price, { exact: true })).toBeVisible()
      await expect(card.getByText('per month')).toBeVisible()
      await expect(card.getByRole('listitem')).toHaveText([...features])
      await expect(card.getByRole('link', { name: button })).toBeVisible()
      await expect(card.getByText('Most Popular')).toHaveCount(name === 'Pro' ? 1 : 0)
    }
    await expectAccessible(page)

    const names = ['Sign In', 'Sign Up', 'Business Sign In', 'Register Your Business', 'Select Basic', 'Select Premium', 'Select VIP']
    for (const name of names) {
      const buttons = page.locator('header, main').getByRole('link', { name, exact: true })
      await expect(buttons, name).toHaveCount(name === 'Register Your Business' ? 2 : 1)
      const returnTo = { 'Business Sign In': '/business-dashboard', 'Register Your Business': '/business/register' }[name]
      const address = returnTo ? `/api/login?returnTo=${returnTo}` : '/api/login'
      for (const button of await buttons.all()) await expect(button).toHaveAttribute('href', address)
    }

    const footer = page.getByRole('contentinfo')
    await expect(footer).toContainText('Licensed cannabis marketplace platform')
    await expect(footer).toContainText(/© 2024–\d{4} Sungrove/)
    for (const [column, links] of Object.entries({
      'For Consumers': ['Browse Businesses', 'Subscription Plans', 'Your Favorites', 'Community Guidelines'],
      'For Businesses': ['Register Your Business', 'Upload Menu', 'Analytics Dashboard', 'Business Resources'],
      Support: ['Help Center', 'Contact Us', 'Privacy Policy', 'Terms of Service', 'Where the data comes from', 'Accessibility'],
    })) {
      await expect(footer.getByRole('navigation', { name: column }).getByRole('link')).toHaveText(links)
    }
    const addresses = await footer.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href') as string))
    // Registering is covered by registration.spec.ts.
    for (const address of addresses.filter((each) => each !== '/business/register')) {
      await page.goto(address)
      await expect(page.getByRole('heading', { level: 1 }), address).toHaveText(headings[address.split('#')[0] ?? ''] ?? '')
      const section = address.split('#')[1]
      if (section) await expect(page.locator(`#${section}`), address).toBeInViewport()
    }

    await page.goto('/landing')
    await page.getByRole('link', { name: 'Sign Up', exact: true }).click()
    await expect(page).toHaveURL(/\/auth/)
  })

  test('links Learn More to business plans that lead to sign-in, and searches only for non-empty, trimmed text', async ({ page }) => {
    const searches: string[] = []
    await page.goto('/landing')
    await appIsThere(page)
    page.on('framenavigated', (frame) => searches.push(new URL(frame.url()).pathname))
    const box = page.getByRole('searchbox', { name: 'Search' })
    await box.fill('  ')
    await box.press('Enter')
    await expect(page).toHaveURL('/landing')
    expect(searches).toEqual([])

    await page.getByRole('link', { name: 'Learn More' }).click()
    await expect(page).toHaveURL('/sungrove#business')
    await expect(page.getByRole('heading', { name: 'Free for every business' })).toBeInViewport()
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
    const placeholders = page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ hasText: /^(Starter|Enterprise) Plan$/ })
    await expect(placeholders).toHaveText(['Starter Plan', 'Enterprise Plan'])
    for (const placeholder of await placeholders.all()) await expect(placeholder).toHaveCSS('border-style', 'dashed')
    await expectAccessible(page)

    await page.goBack()
    await expect(page).toHaveURL('/landing')
    await box.fill(' Denver, CO ')
    await box.press('Enter')
    // A visitor gets the sign-in form, which continues to the search afterward.
    await expect(page).toHaveURL((url) => url.pathname === '/search' && /^\?q=Denver(%2C|,)(%20|\+)CO$/.test(url.search))
    await expect(page.getByRole('heading', { level: 1, name: 'Sign in to see the search results' })).toBeVisible()
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

test('has accessible footer pages and rules', async ({ page }) => {
  await page.goto('/rules')
  await appIsThere(page)
  const footer = page.getByRole('contentinfo')
  for (const [path, title] of Object.entries(pages)) {
    if (path !== '/rules') await footer.locator(`a[href="${path}"]`).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
    await expect(page).toHaveTitle(`${title} · Sungrove`)
    const contents = page.getByRole('navigation', { name: 'On this page' }).getByRole('link')
    const sections = await contents.evaluateAll((links) =>
      links.map((link) => [link.textContent, document.querySelector(`h2${link.getAttribute('href')}`)?.textContent]),
    )
    for (const [entry, heading] of sections) expect(heading, path).toBe(entry)
    await expectAccessible(page)
  }
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign In' })).toHaveAttribute('href', '/api/login')

  await footer.getByRole('link', { name: 'Analytics Dashboard' }).click()
  await expect(page).toHaveURL('/resources#analytics')
  await expect(page.getByRole('heading', { level: 2, name: 'Analytics' })).toBeInViewport()
})
