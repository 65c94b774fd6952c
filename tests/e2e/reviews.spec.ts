import { expect, type Page } from '@playwright/test'
import sharp from 'sharp'
import type { RatingSummary } from '#contracts/reviews.ts'
import { expectAccessible } from './accessibility.ts'
import { written } from './app.ts'
import { toastWith } from './directory.ts'
import { bell, type Member, newBusiness, put, test } from './members.ts'

// At this width, the first screen doesn't show its small map, which takes most of a test's time to draw without a GPU.
test.use({ viewport: { width: 1000, height: 900 } })

const guest = { firstName: 'Gia', lastName: 'Moreau' }
const other = { firstName: 'Otis', lastName: 'Penn' }
const keeper = { firstName: 'Kay', lastName: 'Lund' }

const panel = (page: Page) => page.getByRole('tabpanel', { name: 'Reviews' })
const own = (page: Page) => page.getByRole('article', { name: 'Your review' })
const review = (page: Page, { name }: Member) =>
  panel(page)
    .getByRole('article')
    .filter({ has: page.getByRole('heading', { name, exact: true }) })

test('shows a member’s review and the owner’s reply to both people without a reload', async ({ newMember }) => {
  const [owner, writer] = [await newMember(keeper), await newMember(guest)]
  const business = await newBusiness(owner.page, 'Stonewater Farm')
  await owner.page.goto('/favorites')
  await writer.page.goto(`/business/${business.slug}?tab=reviews`)
  const page = writer.page
  await expect(panel(page).getByText('No reviews yet.')).toBeVisible()
  await page.getByRole('radio', { name: '1 star, Poor' }).focus()
  await page.keyboard.press('Space')
  for (let star = 1; star < 4; star++) await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('radio', { name: '4 stars, Very good' })).toBeChecked()
  await page.getByRole('textbox', { name: 'Your review' }).fill('Clean labels, patient people.')
  await page.getByLabel('I got something for free').check()
  await expectAccessible(page)
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Your review' })).toHaveValue('Clean labels, patient people.')
  await page.getByRole('button', { name: 'Publish review' }).click()
  await expect(own(page)).toContainText('Clean labels, patient people.')
  await expect(own(page)).toContainText('Got something for free')
  await expect(
    page
      .getByRole('main')
      .locator('header')
      .getByRole('img', { name: /^Rated 4\.0 out of 5/ }),
  ).toBeVisible()
  await expect(panel(page).getByRole('row', { name: '4 stars' })).toContainText('100%')

  await bell(owner.page, 1).click()
  await owner.page.getByRole('dialog', { name: 'Notifications' }).getByRole('link', { name: 'reviewed' }).click()
  await expect(owner.page).toHaveURL(/tab=reviews/)
  await expect(panel(owner.page).getByText('You run this business, so you can’t review it.')).toBeVisible()
  const received = review(owner.page, writer)
  await received.getByRole('button', { name: `Reply as ${business.name}` }).click()
  await received.getByRole('button', { name: 'Publish reply' }).click()
  await expect(received.getByText('Write something first')).toBeVisible()
  await expect(received.getByRole('textbox')).toBeFocused()
  await received.getByRole('textbox').fill('Come again in spring.')
  await received.getByRole('button', { name: 'Publish reply' }).click()
  await expect(received).toContainText(`Reply from ${business.name}`)
  await expect(received.locator(':focus')).toContainText('Come again in spring.')
  await expectAccessible(owner.page)

  await expect(bell(page, 1)).toBeVisible()
  await bell(page, 1).click()
  await page.getByRole('dialog', { name: 'Notifications' }).getByRole('link', { name: 'replied to your review' }).click()
  await expect(own(page)).toContainText('Come again in spring.')

  await received.getByRole('button', { name: 'Edit reply' }).click()
  await received.getByRole('button', { name: 'Cancel' }).click()
  await expect(received.locator(':focus')).toContainText('Come again in spring.')
  await received.getByRole('button', { name: 'Delete reply' }).click()
  await expect(received.locator(':focus')).toContainText(`Reply as ${business.name}`)
  await toastWith(owner.page, 'Reply deleted').getByRole('button', { name: 'Undo' }).click()
  await expect(received).toContainText('Come again in spring.')
})

test('lets a person edit their review and undo its deletion', async ({ newMember }) => {
  const [owner, writer] = [await newMember(keeper), await newMember(guest)]
  const business = await newBusiness(owner.page, 'Marrow Lane')
  await put(writer.page, `/api/businesses/${business.id}/rating`, { rating: 2, review: 'Closed at noon.' })
  const { page } = writer
  await page.goto(`/business/${business.slug}?tab=reviews`)
  await own(page).getByRole('button', { name: 'Edit' }).click()
  const focused = panel(page).locator(':focus')
  await expect(focused).toContainText('Your rating')
  await page.getByRole('radio', { name: '5 stars, Excellent' }).check()
  await page.getByRole('button', { name: 'Save review' }).click()
  await expect(own(page)).toContainText('edited')
  await expect(focused).toContainText('Closed at noon.')
  const stars = page
    .getByRole('main')
    .locator('header')
    .getByRole('img', { name: /^Rated 5\.0/ })
  await expect(stars).toBeVisible()
  let deletions = 0
  page.on('request', (request) => void (request.method() === 'DELETE' && deletions++))
  await own(page).getByRole('button', { name: 'Delete' }).click()
  await expect(panel(page).getByText('No reviews yet.')).toBeVisible()
  await expect(focused).toContainText('Your review was deleted.')
  await toastWith(page, 'Review deleted').getByRole('button', { name: 'Undo' }).click()
  await expect(own(page)).toContainText('Closed at noon.')
  expect(deletions).toBe(0)
  await own(page).getByRole('button', { name: 'Delete' }).click()
  await expect(focused).toContainText('Your review was deleted.')
  await toastWith(page, 'Review deleted').getByRole('button', { name: 'Dismiss' }).click()
  await expect(panel(page)).toContainText('Rate your visit')
  await expect(stars).toBeHidden()
})

test('shows a colleague’s newer reply before replacing it', async ({ newMember }) => {
  const [owner, writer] = [await newMember(keeper), await newMember(guest)]
  const business = await newBusiness(owner.page, 'Sorrel Gate')
  const saved = await writer.page.request.put(`/api/businesses/${business.id}/rating`, { data: { rating: 3, review: 'Long line.' } })
  const { own: written } = (await saved.json()) as RatingSummary
  const { page } = owner
  const received = review(page, writer)
  const alert = received.getByRole('alert')
  await page.goto(`/business/${business.slug}?tab=reviews`)
  await received.getByRole('button', { name: `Reply as ${business.name}` }).click()
  await received.getByRole('textbox').fill('Come again on a Monday.')
  await put(page, `/api/ratings/${written?.id}/reply`, { content: 'We hired someone.' })
  await received.getByRole('button', { name: 'Publish reply' }).click()
  await expect(alert).toContainText('changed the reply in the meantime')
  await expect(alert).toContainText('We hired someone.')
  await expect(received.getByRole('textbox')).toHaveValue('Come again on a Monday.')
  await expectAccessible(page, ['light'])

  await page.reload()
  await received.getByRole('button', { name: 'Edit reply' }).click()
  await expect(received.getByRole('textbox')).toHaveValue('Come again on a Monday.')
  await received.getByRole('button', { name: 'Save reply' }).click()
  await expect(alert).toContainText('We hired someone.')
  await received.getByRole('button', { name: 'Save reply' }).click()
  await expect(received).toContainText(`Reply from ${business.name}`)
  await expect(received).toContainText('Come again on a Monday.')
  await expect(received).not.toContainText('We hired someone.')
})

test('shows an error when Undo can’t restore a deleted reply', async ({ newMember }) => {
  const [owner, writer] = [await newMember(keeper), await newMember(guest)]
  const business = await newBusiness(owner.page, 'Hollow Oak')
  const saved = await writer.page.request.put(`/api/businesses/${business.id}/rating`, { data: { rating: 4, review: 'Kind people.' } })
  const { own: written } = (await saved.json()) as RatingSummary
  await put(owner.page, `/api/ratings/${written?.id}/reply`, { content: 'Come again.' })
  await owner.page.goto(`/business/${business.slug}?tab=reviews`)
  await owner.page.route('**/api/ratings/*/reply', (route) => (route.request().method() === 'PUT' ? route.abort() : route.continue()))
  await panel(owner.page).getByRole('button', { name: 'Delete reply' }).click()
  await toastWith(owner.page, 'Reply deleted').getByRole('button', { name: 'Undo' }).click()
  await expect(toastWith(owner.page, 'Error')).toBeVisible()
})

test('doesn’t restore or save older text over a review changed elsewhere', async ({ newMember }) => {
  const [owner, writer] = [await newMember(keeper), await newMember(guest)]
  const business = await newBusiness(owner.page, 'Cedar Row')
  const { page } = writer
  const changeElsewhere = (rating: number, review: string) => put(page, `/api/businesses/${business.id}/rating`, { rating, review })
  await changeElsewhere(2, 'Closed at noon.')
  await page.goto(`/business/${business.slug}?tab=reviews`)
  const text = page.getByRole('textbox', { name: 'Your review' })
  await own(page).getByRole('button', { name: 'Edit' }).click()
  await expect(text).toHaveValue('Closed at noon.')
  await changeElsewhere(4, 'Open until nine now.')
  await page.reload()
  await own(page).getByRole('button', { name: 'Edit' }).click()
  await expect(text).toHaveValue('Open until nine now.')
  await text.fill('Open until ten now.')
  await changeElsewhere(5, 'Open all night.')
  await page.getByRole('button', { name: 'Save review' }).click()
  const refusal = panel(page).getByRole('alert')
  await expect(refusal).toContainText('You changed this review elsewhere in the meantime.')
  await expect(refusal).toContainText('Open all night.')
  await expect(text).toHaveValue('Open until ten now.')
  await page.getByRole('button', { name: 'Save review' }).click()
  await expect(own(page)).toContainText('Open until ten now.')
})

test('shows another person’s review below the reader’s own held review', async ({ newMember }) => {
  const [owner, writer, reader] = [await newMember(keeper), await newMember(guest), await newMember(other)]
  const business = await newBusiness(owner.page, 'Quarry Bend')
  await put(writer.page, `/api/businesses/${business.id}/rating`, { rating: 4, review: 'Kind people.' })
  await put(reader.page, `/api/businesses/${business.id}/rating`, { rating: 5, review: 'It cures cancer.' })
  await reader.page.goto(`/business/${business.slug}?tab=reviews`)
  await expect(own(reader.page)).toContainText('It cures cancer.')
  await expect(review(reader.page, writer)).toContainText('Kind people.')
})

test('keeps the helpful votes of a review whose deletion is undone', async ({ newMember }) => {
  const [owner, writer, reader] = [await newMember(keeper), await newMember(guest), await newMember(other)]
  const business = await newBusiness(owner.page, 'Long Acre')
  await put(writer.page, `/api/businesses/${business.id}/rating`, { rating: 3, review: 'Fair.' })
  await put(reader.page, `/api/businesses/${business.id}/rating`, { rating: 5 })
  await reader.page.goto(`/business/${business.slug}?tab=reviews`)
  const found = review(reader.page, writer)
  const marked = written(reader.page, /\/helpful$/)
  await found.getByRole('button', { name: 'Helpful' }).click()
  await expect(found.getByRole('button', { name: 'Helpful' })).toHaveAttribute('aria-pressed', 'true')
  await expect(found.getByRole('button', { name: 'Helpful' })).toContainText('1')
  await marked
  await reader.page.reload()
  await expect(found.getByRole('button', { name: 'Helpful' })).toHaveAttribute('aria-pressed', 'true')
  await reader.page.route('**/api/ratings/*/helpful', (route) => route.abort())
  await found.getByRole('button', { name: 'Helpful' }).click()
  await expect(toastWith(reader.page, 'Error')).toBeVisible()
  await expect(found.getByRole('button', { name: 'Helpful' })).toContainText('1')

  await writer.page.goto(`/business/${business.slug}?tab=reviews`)
  await own(writer.page).getByRole('button', { name: 'Delete' }).click()
  await expect(own(writer.page)).toBeHidden()
  await toastWith(writer.page, 'Review deleted').getByRole('button', { name: 'Undo' }).click()
  await expect(own(writer.page)).toContainText('Fair.')
  await reader.page.reload()
  await expect(found.getByRole('button', { name: 'Helpful' })).toContainText('1')
})

test('sorts and reports reviews', async ({ newMember }) => {
  const owner = await newMember(keeper)
  const business = await newBusiness(owner.page, 'Two Bridges')
  const writers = [await newMember(guest), await newMember(other)]
  for (const [index, { page }] of writers.entries())
    await put(page, `/api/businesses/${business.id}/rating`, { rating: index === 0 ? 5 : 2 })
  const reader = await newMember({ firstName: 'Rue', lastName: 'Hall' })
  const { page } = reader
  await page.goto(`/business/${business.slug}?tab=reviews`)
  const names = panel(page).getByRole('article').getByRole('heading')
  await expect(names).toHaveText(['Otis Penn', 'Gia Moreau'])
  await page.getByLabel('Sort by').selectOption('Highest rated')
  await expect(names).toHaveText(['Gia Moreau', 'Otis Penn'])
  await page.getByRole('button', { name: 'Report the review by Otis Penn' }).click()
  const dialog = page.getByRole('dialog', { name: 'Report this review' })
  await dialog.getByRole('radio', { name: 'Spam' }).check()
  await dialog.getByRole('button', { name: 'Send report' }).click()
  await expect(page.getByRole('dialog', { name: 'Report sent' }).getByRole('button', { name: 'Block Otis Penn' })).toBeVisible()
  await expectAccessible(page)
})

const photo = async (name: string) => ({
  name,
  mimeType: 'image/png',
  buffer: await sharp({ create: { width: 900, height: 600, channels: 3, background: '#7a9a5a' } })
    .png()
    .toBuffer(),
})

test('adds photos to a review, keeps them after a reload, and shows them in a viewer and on the profile', async ({ newMember }) => {
  // The server prepares four photos, and axe checks three screens.
  test.slow()
  const [owner, writer] = [await newMember(keeper), await newMember(guest)]
  const business = await newBusiness(owner.page, 'Harbor Lights')
  const { page } = writer
  await page.goto(`/business/${business.slug}?tab=reviews`)
  await page.getByRole('radio', { name: '5 stars, Excellent' }).check({ force: true })
  const choose = page.getByLabel('Photos', { exact: true })
  await choose.setInputFiles(await Promise.all(['a.png', 'b.png'].map(photo)))
  const chosen = page.getByRole('list', { name: 'Photos and videos' }).getByRole('listitem')
  await expect(chosen).toHaveCount(2)
  await expect(chosen.getByText('Ready')).toHaveCount(2, { timeout: 30_000 })
  await chosen.first().getByRole('textbox').fill('The counter at noon')
  await page.reload()
  await expect(chosen).toHaveCount(2)
  await expectAccessible(page)
  await choose.setInputFiles(await Promise.all(['c.png', 'd.png', 'e.png'].map(photo)))
  await expect(page.getByText('A review can have up to 4 photos but no videos.')).toBeVisible()
  await page.getByRole('button', { name: 'Publish review' }).click()
  const published = own(page).getByRole('list', { name: 'Pictures of your review' }).getByRole('listitem')
  await expect(published).toHaveCount(4, { timeout: 30_000 })

  await owner.page.goto(`/business/${business.slug}?tab=reviews`)
  await review(owner.page, writer).getByRole('button', { name: 'Picture 1 of 4: The counter at noon' }).click()
  const viewer = owner.page.getByRole('dialog', { name: 'the review by Gia Moreau' })
  await expect(viewer).toBeVisible()
  await expectAccessible(owner.page)

  await owner.page.goto(`/people/${writer.user.id}`)
  await owner.page.getByRole('tab', { name: 'Reviews' }).click()
  await expect(owner.page).toHaveURL(/tab=reviews/)
  await expect(owner.page.getByRole('list', { name: 'Pictures of the review of Harbor Lights' }).getByRole('listitem')).toHaveCount(4)
  await expectAccessible(owner.page)
  await owner.page.getByRole('link', { name: 'Harbor Lights' }).click()
  await expect(review(owner.page, writer)).toBeVisible()
})
