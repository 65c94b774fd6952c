import { expect, type Page, test } from '@playwright/test'
import type { BusinessSummary } from '#contracts/businesses.ts'
import type { Product } from '#contracts/menus.ts'
import type { Post } from '#contracts/posts.ts'
import { expectAccessible } from './accessibility.ts'
import { appIsThere } from './app.ts'
import { findBusinesses, toastWith } from './directory.ts'
import { newBusiness } from './members.ts'
import { joinByCall, newPerson } from './people.ts'

// At this width, the first screen doesn't show its small map, which takes most of a test's time to draw without a GPU.
test.use({ viewport: { width: 1000, height: 900 } })

test.beforeEach(async ({ page }) => {
  await joinByCall(page, newPerson())
})

/** An unclaimed register listing. */
async function listing(page: Page, query: string): Promise<BusinessSummary> {
  const found = await findBusinesses(page, `${query}&verified=true&sort=name&limit=100`)
  const business = found.find(({ isClaimed, isDemo }) => !isClaimed && !isDemo)
  if (!business) throw new Error(`The directory has no unclaimed listing for ${query}.`)
  return business
}

/** Matches the number in the page's text unless a digit precedes it. */
const subscribers = (count: number) => new RegExp(`(?<!\\d)${count} ${count === 1 ? 'subscriber(?!s)' : 'subscribers'}`)

test('remembers a subscription and a favorite after a reload, undoes them, and rolls back a failed subscription with a message', async ({
  page,
  browser,
}) => {
  const context = await browser.newContext()
  const owner = await context.newPage()
  await joinByCall(owner, newPerson())
  const business = await newBusiness(owner, 'Tarn Farm')
  await context.close()
  await page.goto(`/business/${business.slug}`)
  await expect(page.getByRole('heading', { level: 1, name: business.name })).toBeVisible()
  await expect(
    page.getByText(
      'Subscribers get exclusive posts and events, notifications of new menu items a day early, subscriber prices and direct messages.',
    ),
  ).toBeVisible()

  await page.route('**/api/subscriptions', (route) =>
    route.fulfill({ status: 500, json: { message: 'Something went wrong.', code: 'internal' } }),
  )
  await page.getByRole('button', { name: 'Subscribe free', exact: true }).click()
  await expect(toastWith(page, 'Error')).toContainText('Failed to update subscription')
  const closed = 'This business is closed, so it isn’t taking new subscriptions.'
  await page.route('**/api/subscriptions', (route) => route.fulfill({ status: 409, json: { message: closed, code: 'conflict' } }))
  await page.getByRole('button', { name: 'Subscribe free', exact: true }).click()
  await expect(toastWith(page, 'Error').getByText(closed, { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Subscribe free', exact: true })).toBeVisible()
  await expect(page.getByRole('main')).toContainText(subscribers(business.subscriberCount))
  await page.unroute('**/api/subscriptions')

  await page.getByRole('button', { name: 'Subscribe free', exact: true }).click()
  await expect(toastWith(page, 'Subscribed!')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Unsubscribe' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText(subscribers(business.subscriberCount + 1))
  const heart = page.getByRole('button', { name: `Favorite ${business.name}` })
  await heart.click()
  await expect(toastWith(page, 'Added to favorites')).toBeVisible()
  await expect(heart).toHaveAttribute('aria-pressed', 'true')

  await page.reload()
  await expect(page.getByRole('button', { name: 'Unsubscribe' })).toBeVisible()
  await expect(heart).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('button', { name: 'Unsubscribe' }).click()
  await expect(toastWith(page, 'Unsubscribed')).toBeVisible()
  await expect(page.getByRole('main')).toContainText(subscribers(business.subscriberCount))
  await heart.click()
  await expect(toastWith(page, 'Removed from favorites')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Subscribe free', exact: true })).toBeVisible()
  await expect(heart).toHaveAttribute('aria-pressed', 'false')
  const kept = async () => (await page.request.get(`/api/businesses/${business.id}/status`)).json()
  await expect.poll(kept).toMatchObject({ isSubscribed: false, isFavorited: false })
})

test('explains that a listing is unclaimed and when the register was read, without fetching the business again', async ({ page }) => {
  const business = await listing(page, 'near=Denver,+CO&type=farm')
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto(`/business/${business.slug}`)
  await expect(page.getByRole('heading', { level: 1, name: business.name })).toBeVisible()
  // A business without an owner has nothing to offer subscribers.
  await expect(page.getByRole('button', { name: `Follow ${business.name}` })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Subscribe/ })).toHaveCount(0)
  await expect.poll(() => asked).toContain(`/api/businesses/${business.id}/corrections`)
  expect(asked).not.toContain(`/api/businesses/${business.slug}`)
  expect(asked).not.toContain(`/api/businesses/${business.id}/status`)
  const license = page.getByRole('region', { name: 'License' })
  await expect(license).toContainText('Listed in the register')
  await expect(license).toContainText(/Source: Colorado register, \w+ \d+, 2023\. That was more than \d+ years ago\./)
  await expect(license).toContainText('The business hasn’t edited this listing yet.')
  await expect(license.getByRole('link', { name: 'Is this your business?' })).toHaveAttribute(
    'href',
    `/business/register?claim=${business.slug}`,
  )
  await expect(page.getByText('Unclaimed', { exact: true })).toBeVisible()
  await expect(page.getByText('No description available')).toBeVisible()
  await expect(page.getByText('Shown at the center of its city. We never show a farm’s exact location.')).toBeVisible()
})

test('links to the phone number, to directions in the chosen maps app, and to the website', async ({ page }) => {
  const found = await findBusinesses(page, 'state=CO&verified=true&sort=name&limit=100')
  const business = found.find(({ address, phone, website, isDemo }) => address && phone && website && !isDemo)
  if (!business) throw new Error('The directory has no listing with an address, a phone and a website in Colorado.')
  await page.goto(`/business/${business.slug}`)
  await expect(page.getByRole('link', { name: 'Call' })).toHaveAttribute('href', `tel:${business.phone!.replace(/\D/g, '')}`)
  await expect(page.getByRole('link', { name: 'Website' })).toHaveAttribute('href', business.website!)
  const directions = page.getByRole('link', { name: 'Directions' })
  await expect(directions).toHaveAttribute('href', /openstreetmap/)

  await page.getByRole('button', { name: 'Choose maps app' }).click()
  await page.getByRole('menuitemradio', { name: 'Google Maps' }).click()
  await expect(directions).toHaveAttribute('href', /google\.com\/maps\/dir/)
  await page.reload()
  await expect(directions).toHaveAttribute('href', /google\.com\/maps\/dir/)
})

test('puts the tab in the address, explains empty tabs, and leads back from a missing business', async ({ page }) => {
  const business = await listing(page, 'state=AZ')
  await page.goto(`/business/${business.slug}?tab=posts`)
  await expect(page.getByText('No posts available yet.')).toBeVisible()
  await appIsThere(page)
  await page.getByRole('tab', { name: 'Posts' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByText('No reviews yet.')).toBeVisible()
  await expect(page).toHaveURL(/tab=reviews/)
  await page.getByRole('tab', { name: 'Business Tools' }).click()
  await expect(page.getByText(`Only the owner of ${business.name} can buy Business Tools.`)).toBeVisible()
  await expect(page.getByText('$75')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('tab', { name: 'Business Tools' })).toHaveAttribute('aria-selected', 'true')
  await page.getByRole('tab', { name: 'Products' }).click()
  await expect(page.getByText('No products available yet.')).toBeVisible()
  await expect(page).not.toHaveURL(/tab=/)
  await page.getByRole('tab', { name: 'Business Tools' }).click()
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page)

  await page.goto('/business/no-such-business')
  await expect(page.getByRole('heading', { level: 1, name: 'Business Not Found' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Go Back' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Business Not Found' })).toBeHidden()

  // Go Back also works after a page load, and without history.
  await page.goto('/favorites')
  await page.goto('/business/no-such-business')
  await page.getByRole('button', { name: 'Go Back' }).click()
  await expect(page).toHaveURL('/favorites')
  const fresh = await page.context().newPage()
  await fresh.goto('/business/no-such-business')
  await fresh.getByRole('button', { name: 'Go Back' }).click()
  await expect(fresh).toHaveURL('/discover')
})

/** A demo business with a product out of stock, a review, and an exclusive post that is locked for this person. */
async function demoBusiness(page: Page): Promise<{ business: BusinessSummary; soldOut: Product; locked: Post }> {
  const demos = (await findBusinesses(page, 'limit=100')).filter(({ isDemo }) => isDemo)
  for (const business of demos) {
    const read = async <T>(list: string) => (await (await page.request.get(`/api/businesses/${business.id}/${list}`)).json()) as T[]
    const soldOut = (await read<Product>('products')).find(({ isAvailable }) => !isAvailable)
    const locked = (await read<Post>('posts')).find(({ isLocked }) => isLocked)
    if (soldOut && locked && business.totalRatings > 0) return { business, soldOut, locked }
  }
  throw new Error('No demo business has a sold-out product, a locked post and a review.')
}

test('shows products, posts, and reviews, and unlocks subscriber content', async ({ page }) => {
  const { business, soldOut, locked } = await demoBusiness(page)
  await page.goto(`/business/${business.slug}`)
  await expect(page.getByText('Demo', { exact: true })).toBeVisible()
  // The actions fit in one row.
  const topOf = async (name: string) => (await page.getByRole('main').getByRole('button', { name, exact: true }).first().boundingBox())?.y
  await expect(page.getByRole('button', { name: `More actions for ${business.name}`, exact: true })).toBeVisible()
  expect(Math.abs((await topOf(`More actions for ${business.name}`))! - (await topOf(`Favorite ${business.name}`))!)).toBeLessThan(8)
  const product = page.getByRole('article').filter({ has: page.getByRole('heading', { name: soldOut.name, exact: true }) })
  await expect(product).toContainText('Out of Stock')
  await expect(product).toContainText(`$${soldOut.price.replace(/\.00$/, '')}`)
  await expectAccessible(page)

  await page.getByRole('tab', { name: 'Posts' }).click()
  const post = page.getByRole('article').filter({ has: page.getByRole('heading', { name: locked.title, exact: true }) })
  await expect(post).toContainText('Exclusive')
  await expect(post).toContainText(`For subscribers to ${business.name}`)
  await post.getByRole('button', { name: 'Subscribe' }).click()
  await expect(toastWith(page, 'Subscribed!')).toBeVisible()
  await expect(post.getByText('For subscribers to')).toBeHidden()
  const opened = ((await (await page.request.get(`/api/businesses/${business.id}/posts`)).json()) as Post[]).find(
    ({ id }) => id === locked.id,
  )
  expect(opened?.content.length).toBeGreaterThan(0)
  await expect(post).toContainText(opened!.content.split('\n')[0]!)

  await page.getByRole('tab', { name: 'Reviews' }).click()
  await expect(page.getByRole('tabpanel').getByRole('article')).toHaveCount(business.totalRatings)
  await expect(
    page
      .getByRole('tabpanel')
      .getByRole('img', { name: /^Rated [1-5]\.0 out of 5$/ })
      .first(),
  ).toBeVisible()
  // The first tab, checked in both themes, has the same colors.
  await expectAccessible(page, ['light'])

  // In a single column, the menu is far below the name.
  await page.getByRole('button', { name: 'See the menu' }).click()
  await expect(page.getByRole('tab', { name: 'Products', selected: true })).toBeInViewport()
  await expect(product).toContainText('Out of Stock')
  await page
    .getByRole('main')
    .getByRole('button', { name: /See the reviews$/ })
    .click()
  await expect(page.getByRole('tab', { name: 'Reviews', selected: true })).toBeInViewport()

  // On phones, the tabs load only once someone reaches them.
  await page.setViewportSize({ width: 360, height: 780 })
  await page.goto('/discover')
  await page.goto(`/business/${business.slug}?tab=reviews#more`)
  await expect(page.getByRole('tab', { name: 'Reviews', selected: true })).toBeInViewport()
  expect(Math.abs((await topOf(`More actions for ${business.name}`))! - (await topOf('Unsubscribe'))!)).toBeLessThan(8)
})

test('shows a 19-year-old the minimum age for products in this state', async ({ page }) => {
  const { business } = await demoBusiness(page)
  await page.context().clearCookies()
  await joinByCall(page, { ...newPerson(), birthday: `${new Date().getUTCFullYear() - 19}-01-01` })
  await page.goto(`/business/${business.slug}`)
  await expect(page.getByText('Products are shown to people 21 or older.')).toBeVisible()
  await page.getByRole('tab', { name: 'Reviews' }).click()
  await expect(page.getByRole('tabpanel').getByRole('article').first()).toBeVisible()
})

test('lets the team post and doesn’t ask them to subscribe', async ({ page }) => {
  const made = await page.request.post('/api/businesses', { data: { businessName: 'Terrace Nine', location: 'Denver, CO' } })
  const { slug } = (await made.json()) as { slug: string }
  await page.goto(`/business/${slug}`)
  await expect(page.getByText('You run this business')).toBeVisible()
  await expect(page.getByRole('button', { name: /^(Subscribe|Follow)/ })).toHaveCount(0)
  await page.getByRole('main').getByRole('link', { name: 'Post', exact: true }).click()
  await expect(page).toHaveURL('/create-post')
  await expect(page.getByRole('main')).toContainText('Terrace Nine')
})
