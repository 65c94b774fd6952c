import { expect, type Page } from '@playwright/test'
import type { BusinessSummary } from '#contracts/businesses.ts'
import type { BusinessEvent } from '#contracts/events.ts'
import type { Post } from '#contracts/posts.ts'
import { hold } from './app.ts'
import { post, test } from './members.ts'

const robin = { firstName: 'Robin', lastName: 'Vale' }

const password = 'a terrace in the morning sun'
/** The demo's owner, whose shops have the verified license that events require. */
const owner = { email: 'marlow@demo.sungrove.example', password }
/** The demo's shopper, who follows several shops. */
const shopper = { email: 'wren@demo.sungrove.example', password }

function callsOf(page: Page): Set<string> {
  const calls = new Set<string>()
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/api/')) calls.add(pathname + search)
  })
  return calls
}

const answersIn = async (page: Page): Promise<string[]> => {
  const boot = JSON.parse((await page.locator('#boot').textContent()) ?? '') as { answers: { url: string }[] }
  return boot.answers.map(({ url }) => url)
}

async function addEvent(page: Page): Promise<{ shop: BusinessSummary; event: BusinessEvent }> {
  await post(page, '/api/login', owner)
  const [shop] = (await (await page.request.get('/api/businesses?q=Quietwater')).json()) as [BusinessSummary]
  const day = new Date(Date.now() + 6 * 86_400_000).toISOString().slice(0, 10)
  const times = { startsLocal: `${day}T18:00`, endsLocal: `${day}T20:00`, timeZone: 'America/Denver' }
  const answer = await page.request.post(`/api/businesses/${shop.id}/events`, {
    data: { ...times, locationId: shop.id, title: 'First light', description: 'Come and look around.' },
  })
  expect(answer.status(), await answer.text()).toBe(201)
  return { shop, event: (await answer.json()) as BusinessEvent }
}

test('renders first screens from the responses in the page, without making those calls', async ({ newMember, page: ownersPage }) => {
  const { shop, event } = await addEvent(ownersPage)
  const { page, user } = await newMember(robin)
  const written = await page.request.post('/api/posts', {
    data: { title: 'First light', content: 'The rows are ready.', postType: 'update', businessId: null },
  })
  const { id: postId } = (await written.json()) as Post
  // A live connection starts with a hint that makes lists check for new items.
  await page.route('/api/live', (route) => route.abort())

  const addresses = [
    '/',
    '/discover',
    '/favorites',
    '/notifications',
    '/communities',
    '/messages',
    `/post/${postId}`,
    `/people/${user.id}`,
    `/business/${shop.slug}`,
    `/events/${event.id}`,
    '/profile',
    '/settings',
    '/pheno-hunt',
    '/business-dashboard/menu',
  ]
  for (const address of addresses) {
    const calls = callsOf(page)
    await page.goto(address)
    await expect(page.locator('main h1').first()).toBeAttached()
    await page.waitForLoadState('networkidle')
    const answers = await answersIn(page)
    expect(answers.length, address).toBeGreaterThan(0)
    expect(
      answers.filter((url) => calls.has(url)),
      address,
    ).toEqual([])
  }
})

test.describe('on a phone whose calls all fail after the page has loaded', () => {
  test.use({ viewport: { width: 412, height: 823 }, hasTouch: true, isMobile: true })

  const placeholders = (page: Page) => page.locator('.animate-shimmer')

  /** Opens a page and scrolls through all of it, because sections below the first screen load when they come into view. */
  async function readThrough(page: Page, address: string): Promise<void> {
    await page.goto(address)
    await expect(page.locator('main h1').first()).toBeAttached()
    await page.waitForLoadState('networkidle')
    const height = await page.evaluate(() => document.body.scrollHeight)
    for (let y = 0; y < height; y += 400) await page.evaluate((to) => scrollTo(0, to), y)
  }

  test('shows the feed, the directory, and a menu with its hours instead of placeholders', async ({ page }) => {
    await post(page, '/api/login', shopper)
    await page.route('/api/**', (route) => route.abort())

    await readThrough(page, '/')
    await expect(page.getByRole('main').getByRole('heading', { level: 2 }).first()).toHaveText('Near you')
    await expect(page.getByRole('region', { name: 'Your feed' }).getByRole('article').nth(4)).toBeAttached()
    await expect(page.getByRole('region', { name: 'Featured Businesses' }).getByRole('listitem').first()).toBeAttached()
    await expect(placeholders(page)).toHaveCount(0)

    await readThrough(page, '/discover')
    await expect(page.getByText(/^[\d,]+ businesses within 50 miles\./)).toBeVisible()
    await expect(page.getByRole('main').getByRole('article').nth(9)).toBeAttached()
    await expect(placeholders(page)).toHaveCount(0)

    await readThrough(page, '/business/lanternfold-dispensary-denver')
    await expect(page.getByRole('button', { name: 'Favorite Lanternfold Dispensary' })).toBeVisible()
    const contact = page.getByRole('region', { name: 'Contact' })
    await contact.locator('summary').click()
    await expect(contact.getByRole('definition').first()).toHaveText(/[AP]M/)
    await expect(page.getByRole('tabpanel').getByRole('heading', { name: /^Terrace No. 4/ })).toBeVisible()
    await expect(placeholders(page)).toHaveCount(0)
  })

  test('shows nearby businesses and suggestions to a new person with an empty feed', async ({ newMember }) => {
    const { page } = await newMember(robin)
    await page.setViewportSize({ width: 412, height: 823 })
    await page.route('/api/**', (route) => route.abort())
    await readThrough(page, '/')
    await expect(page.getByRole('heading', { name: 'Near you' })).toBeVisible()
    await expect(page.getByRole('region', { name: 'Discover' }).getByRole('article').first()).toBeAttached()
    await expect(placeholders(page)).toHaveCount(0)
  })
})

test('requests a screen’s data when its link is hovered, and opens it before the response arrives', async ({ newMember }) => {
  const { page } = await newMember(robin)
  await page.goto('/notifications')
  const link = page.getByRole('link', { name: 'Discover Businesses' })
  await expect(link).toBeVisible()
  const nearby = '/api/businesses?near=Denver%2C+CO&radius=50&widen=true'
  const calls = callsOf(page)
  const answer = await hold(page, /\/api\/businesses\?near=/)
  await link.hover()
  await expect.poll(() => calls).toContain(nearby)
  calls.clear()
  await link.click()
  await expect(page.getByRole('heading', { level: 1, name: 'Near Denver, CO' })).toBeVisible()
  answer()
  await expect(page.getByRole('article').first()).toBeVisible()
  expect([...calls]).not.toContain(nearby)
})

test('makes no calls for the requested screen before sign-in', async ({ newMember, browser }) => {
  const { user } = await newMember(robin)
  const visitor = await (await browser.newContext()).newPage()
  const calls = callsOf(visitor)
  for (const address of [`/people/${user.id}`, '/messages', '/discover']) {
    await visitor.goto(address)
    await expect(visitor.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible()
    await visitor.waitForLoadState('networkidle')
  }
  expect([...calls].filter((url) => !/^\/api\/(user|auth|visits|live)/.test(url))).toEqual([])
  await visitor.context().close()
})
