import { expect, type Page, test } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { hold } from './app.ts'
import { cards, findBusinesses, toastWith } from './directory.ts'
import { joinByCall, newPerson } from './people.ts'

test.beforeEach(async ({ page }) => {
  await joinByCall(page, newPerson())
})

/** Favorites of the signed-in person; the last one is the newest. */
async function favorite(page: Page, count: number) {
  const businesses = await findBusinesses(page, `near=Boulder,+CO&type=dispensary&limit=${count}`)
  for (const { id } of businesses) {
    const answer = await page.request.post('/api/favorites', { data: { businessId: id } })
    expect(answer.ok(), await answer.text()).toBe(true)
  }
  return businesses
}

test('without favorites the page says where to find some', async ({ page }) => {
  await page.goto('/favorites')
  await expect(page.getByRole('heading', { name: 'No Favorites Yet' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('main').getByRole('link', { name: 'Discover businesses' }).click()
  await expect(page).toHaveURL('/discover')
})

test('while the favorites are on their way, the page says so', async ({ page }) => {
  await page.goto('/guidelines')
  const answer = await hold(page, '**/api/favorites')
  await page.getByRole('link', { name: 'Your Favorites' }).click()
  await expect(page.getByText('Loading your favorites...')).toBeVisible()
  answer()
  await expect(page.getByRole('heading', { name: 'No Favorites Yet' })).toBeVisible()
})

test('a favorite is removed by its heart, and Undo brings it back to its place', async ({ page }) => {
  const businesses = await favorite(page, 3)
  const names = businesses.map(({ name }) => name).toReversed()
  await page.goto('/favorites')
  await expect(cards(page).getByRole('heading')).toHaveText(names)
  await expectAccessible(page)

  await page.getByRole('button', { name: `Remove ${names[1]} from favorites` }).click()
  await expect(cards(page).getByRole('heading')).toHaveText([names[0]!, names[2]!])
  const toast = toastWith(page, 'Removed from favorites')
  await expect(toast).toBeVisible()
  await toast.getByRole('button', { name: 'Undo' }).click()
  await expect(cards(page).getByRole('heading')).toHaveText(names)
  await expect(toastWith(page, 'Added to favorites')).toBeVisible()

  await page.getByRole('button', { name: `Remove ${names[1]} from favorites` }).click()
  await expect(toastWith(page, 'Removed from favorites')).toBeVisible()
  await page.reload()
  await expect(cards(page).getByRole('heading')).toHaveText([names[0]!, names[2]!])
  await cards(page).first().getByRole('link', { name: 'View Details' }).click()
  await expect(page).toHaveURL(`/business/${businesses[2]!.slug}`)
})

test('when a removal fails, the favorite comes back with a message', async ({ page }) => {
  const businesses = await favorite(page, 2)
  const names = businesses.map(({ name }) => name).toReversed()
  await page.goto('/favorites')
  await expect(cards(page)).toHaveCount(2)
  await page.route('**/api/favorites/*', (route) => route.abort())
  await page.getByRole('button', { name: `Remove ${names[0]} from favorites` }).click()
  await expect(toastWith(page, 'Error')).toContainText('Failed to update favorite status')
  await expect(cards(page).getByRole('heading')).toHaveText(names)
})

test('phone and website stand on the card as links', async ({ page }) => {
  const listed = await findBusinesses(page, 'near=Anchorage,+AK&limit=100')
  const business = listed.find(({ phone, website }) => phone && website)!
  await page.request.post('/api/favorites', { data: { businessId: business.id } })
  await page.goto('/favorites')
  const card = cards(page).first()
  await expect(card).toContainText(business.name)
  await expect(card).toContainText(business.location!)
  await expect(card.getByRole('link', { name: business.phone! })).toHaveAttribute('href', /^tel:\+?\d+$/)
  const website = card.locator(`a[href="${business.website}"]`)
  await expect(website).toHaveAttribute('target', '_blank')
  await expect(website).toHaveAttribute('rel', /noopener/)
})

test('home shows the favorites, what is near and what is rated highest', async ({ page }) => {
  const businesses = await favorite(page, 2)
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome, Robin Vale' })).toBeVisible()
  const section = (title: string) => page.locator('section').filter({ has: page.getByRole('heading', { name: title }) })
  await expect(section('Your favorites').getByRole('link', { name: businesses[1]!.name })).toBeVisible()
  await expect(section('Near you').getByRole('article')).toHaveCount(4)
  await expect(section('Near you').getByRole('article').first()).toContainText('mi')
  await expect(section('Featured Businesses').getByRole('listitem')).toHaveCount(4)
  await expectAccessible(page)
  await page.setViewportSize({ width: 320, height: 640 })
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  await page.getByRole('link', { name: 'See all near you' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Near Denver, CO' })).toBeVisible()
})
