import { expect, type Page, test } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { appIsThere, hold } from './app.ts'
import { cards, findBusinesses, toastWith } from './directory.ts'
import { post } from './members.ts'
import { joinByCall, newPerson } from './people.ts'

test.beforeEach(async ({ page }) => {
  await joinByCall(page, newPerson())
})

/** Adds favorites for the signed-in person, oldest first. */
async function favorite(page: Page, count: number) {
  const businesses = await findBusinesses(page, `near=Boulder,+CO&type=dispensary&limit=${count}`)
  for (const { id } of businesses) {
    const answer = await page.request.post('/api/favorites', { data: { businessId: id } })
    expect(answer.ok(), await answer.text()).toBe(true)
  }
  return businesses
}

test('shows a loading state for favorites and suggests where to find some', async ({ page }) => {
  const [business] = await findBusinesses(page, 'near=Boulder,+CO&type=dispensary&limit=1')
  const openNow = { isOpen: false, changesAt: null, note: null }
  const nowhere = {
    id: business!.id,
    business: { ...business, location: null, address: null, openNow, timeZone: 'America/Denver' },
    createdAt: new Date().toISOString(),
  }
  await page.goto('/guidelines')
  await appIsThere(page)
  const answer = await hold(page, '**/api/favorites', (route) => route.fulfill({ json: [nowhere] }))
  await page.getByRole('link', { name: 'Your Favorites' }).click()
  await expect(page.getByText('Loading your favorites...')).toBeVisible()
  answer()
  await expect(cards(page)).toContainText('Location not set')
  await expect(cards(page)).toContainText('Closed')

  await page.unroute('**/api/favorites')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'No Favorites Yet' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('main').getByRole('link', { name: 'Discover businesses' }).click()
  await expect(page).toHaveURL('/discover')
})

test('shows a favorite’s details, removes it with its heart button, and restores it on Undo or after a failure', async ({ page }) => {
  const reachable = (await findBusinesses(page, 'near=Anchorage,+AK&limit=100')).find(({ phone, website }) => phone && website)
  await post(page, '/api/favorites', { businessId: reachable!.id })
  const [dispensary, newest] = await favorite(page, 2)
  const names = [newest!.name, dispensary!.name, reachable!.name]
  const card = ({ name }: { name: string }) => cards(page).filter({ has: page.getByRole('heading', { name, exact: true }) })
  await page.goto('/favorites')
  await expect(cards(page).getByRole('heading')).toHaveText(names)
  await expectAccessible(page)
  for (const business of [dispensary!, reachable!]) {
    await expect(card(business)).toContainText(business.description ?? 'No description available')
    await expect(card(business)).toContainText((business.address ?? business.location)!)
    await expect(card(business).getByRole('link', { name: 'View Details' })).toHaveAttribute('href', `/business/${business.slug}`)
    await expect(card(business)).toContainText(business.totalRatings > 0 ? business.averageRating.toFixed(1) : /no reviews/i)
  }
  await expect(card(dispensary!)).toContainText('Dispensary')
  await expect(card(reachable!).getByRole('link', { name: reachable!.phone! })).toHaveAttribute('href', /^tel:\+?\d+$/)
  const website = card(reachable!).locator(`a[href="${reachable!.website}"]`)
  await expect(website).toHaveAttribute('target', '_blank')
  await expect(website).toHaveAttribute('rel', /noopener/)

  const list = page
    .getByRole('main')
    .locator('ul')
    .filter({ has: page.getByRole('article') })
  const columns = () => list.evaluate((element) => getComputedStyle(element).gridTemplateColumns.split(' ').length)
  await expect.poll(columns).toBe(3)
  await page.setViewportSize({ width: 390, height: 900 })
  await expect.poll(columns).toBe(1)
  await page.setViewportSize({ width: 1440, height: 900 })

  await page.route('**/api/favorites/*', (route) => route.abort())
  await page.getByRole('button', { name: `Remove ${names[0]} from favorites` }).click()
  await expect(toastWith(page, 'Error')).toContainText('Failed to update favorite status')
  await expect(cards(page).getByRole('heading')).toHaveText(names)
  await page.unroute('**/api/favorites/*')

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
  await expect(page).toHaveURL(`/business/${newest!.slug}`)
})
