import { expect } from '@playwright/test'
import sharp from 'sharp'
import { video } from '#tests/support/videos.ts'
import { expectAccessible } from './accessibility.ts'
import { written } from './app.ts'
import { toastWith } from './directory.ts'
import { newBusiness, test } from './members.ts'

const picture = async (name: string, background: string) => ({
  name,
  mimeType: 'image/jpeg',
  buffer: await sharp({ create: { width: 900, height: 600, channels: 3, background } })
    .jpeg()
    .toBuffer(),
})

test('shows photos, a video, and social links after an owner buys Verified, and lets a reader report a photo', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Olive', lastName: 'Hart' })
  const business = await newBusiness(page, 'Ledge Farm')
  await page.goto(`/business-dashboard/profile?business=${business.slug}`)
  const photos = page.getByRole('region', { name: 'Photos and video', exact: true })
  const links = page.getByRole('region', { name: 'Social links', exact: true })
  const offer = page.getByRole('region', { name: 'Photos, video and social links' })
  await expect(offer).toContainText('Show up to 12 photos, a short video and links to your social pages. They come with Verified.')
  await expect(page.getByRole('button', { name: 'Add photos' })).toHaveCount(0)
  await expectAccessible(page)

  await offer.getByRole('button', { name: 'Choose Verified, $150 per month' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Subscribe' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await expect(photos.getByRole('button', { name: 'Add photos' })).toBeVisible()
  await expect(links.getByLabel('Instagram')).toBeVisible()
  await expect(offer).toHaveCount(0)

  await photos
    .getByLabel('Photos', { exact: true })
    .setInputFiles([await picture('door.jpg', '#7a9a5a'), await picture('beds.jpg', '#c9a15a')])
  await photos.getByLabel('Video', { exact: true }).setInputFiles({ name: 'walk.mp4', mimeType: 'video/mp4', buffer: video('h264.mp4') })
  await expect(photos.getByText('Ready', { exact: true })).toHaveCount(3, { timeout: 60_000 })
  await expect(photos.getByText('2 of 12 photos and a video')).toBeVisible()
  await expect(photos.getByRole('button', { name: 'Add a video' })).toBeDisabled()
  await photos.getByLabel('Description').first().fill('The farm’s door cures cancer')
  // Photos can be moved by keyboard.
  await photos.getByRole('button', { name: 'Move beds.jpg up' }).press('Enter')
  await expect(photos.getByRole('listitem').first()).toContainText('beds.jpg')
  await photos.getByRole('button', { name: 'Save photos' }).click()
  // The refusal appears next to its photo, whose description gets focus.
  await expect(photos.getByText(/health claim/)).toBeVisible()
  await expect(photos.getByLabel('Description').nth(1)).toBeFocused()
  await photos.getByLabel('Description').nth(1).fill('The door of the farm')
  await photos.getByLabel('Description').first().fill('Raised beds in June')
  await photos.getByRole('button', { name: 'Save photos' }).click()
  await expect(toastWith(page, 'Photos saved')).toContainText('They’re live on your page.')
  await expect(photos.getByRole('button', { name: 'Save photos' })).toBeFocused()
  await expectAccessible(page)

  // Undo restores a saved photo.
  await page.reload()
  await photos.getByRole('button', { name: 'Remove Photo 2' }).click()
  await expect(photos.getByRole('listitem')).toHaveCount(2)
  await toastWith(page, 'Photo 2 removed').getByRole('button', { name: 'Undo' }).click()
  await expect(photos.getByRole('listitem')).toHaveCount(3)
  await expect(photos.getByLabel('Description').nth(1)).toHaveValue('The door of the farm')

  await links.getByLabel('Instagram').fill('@ledge.farm')
  await links.getByLabel('YouTube').fill('https://example.com/ledge')
  await links.getByRole('button', { name: 'Save links' }).click()
  await expect(links.getByText('Enter your YouTube name or address, such as youtube.com/@yourshop')).toBeVisible()
  await links.getByLabel('YouTube').fill('ledgefarm')
  await links.getByRole('button', { name: 'Save links' }).click()
  await expect(toastWith(page, 'Social links saved')).toBeVisible()
  await expect(links.getByLabel('Instagram')).toHaveValue('https://www.instagram.com/ledge.farm')
  await expectAccessible(page)

  const { page: reader } = await newMember({ firstName: 'Ann', lastName: 'Archer' })
  await reader.goto(`/business/${business.slug}`)
  const shown = reader.getByRole('region', { name: 'Photos and video', exact: true })
  await expect(shown.getByRole('button')).toHaveCount(3)
  await expect(shown.getByRole('button', { name: 'Picture 2 of 3: Raised beds in June' })).toBeVisible()
  const social = reader.getByRole('list', { name: `${business.name} on social networks` }).getByRole('link')
  await expect(social).toHaveCount(2)
  await expect(social.first()).toHaveAccessibleName(`${business.name} on Instagram (opens in a new tab)`)
  await expect(social.first()).toHaveAttribute('href', 'https://www.instagram.com/ledge.farm')
  await expect(social.first()).toHaveAttribute('rel', 'nofollow noopener ugc')
  await expectAccessible(reader)
  await shown.getByRole('button', { name: 'Picture 3 of 3: The door of the farm' }).click()
  const large = reader.getByRole('dialog', { name: business.name })
  await expect(large.getByText('3 of 3')).toBeVisible()
  await expectAccessible(reader)
  await large.getByRole('button', { name: 'Report' }).click()
  const report = reader.getByRole('dialog', { name: 'Report this photo' })
  await report.getByRole('radio', { name: 'Spam' }).check()
  const sent = written(reader, /\/api\/reports$/)
  await report.getByRole('button', { name: 'Send report' }).click()
  expect((await sent).status()).toBe(204)
  await expect(reader.getByRole('dialog', { name: 'Report sent' })).toBeVisible()

  // The business's own team sees the same pictures, without Report.
  await page.goto(`/business/${business.slug}`)
  await page.getByRole('button', { name: 'Picture 2 of 3: Raised beds in June' }).click()
  await expect(page.getByRole('dialog', { name: business.name }).getByRole('button', { name: 'Close' })).toBeVisible()
  await expect(page.getByRole('dialog', { name: business.name }).getByRole('button', { name: 'Report' })).toHaveCount(0)
})

test('lets an owner whose plan has ended remove a stored social link', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Olive', lastName: 'Hart' })
  const business = await newBusiness(page, 'Ledge Farm')
  const link = { network: 'instagram', url: 'https://www.instagram.com/ledge.farm' }
  await page.route('**/page-extras/managed', async (route) => {
    const extras = (await (await route.fetch()).json()) as object
    await route.fulfill({ json: { ...extras, socialLinks: [link] } })
  })
  await page.goto(`/business-dashboard/profile?business=${business.slug}`)
  const links = page.getByRole('region', { name: 'Social links', exact: true })
  const offer = page.getByRole('region', { name: 'Photos, video and social links' })
  await expect(offer).toContainText('Your plan has ended, so your page no longer shows the items below. We’ve kept them.')
  await expectAccessible(page)
  await expect(links.getByRole('textbox')).toHaveCount(1)
  await links.getByLabel('Instagram').fill('')
  await links.getByRole('button', { name: 'Save links' }).click()
  await expect(toastWith(page, 'Social links saved')).toBeVisible()
  await expect(offer).toContainText('They come with Verified.')
  await expect(links).toHaveCount(0)
  await expectAccessible(page)
})

test('keeps a teammate’s change to a social link when a draft is saved', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Olive', lastName: 'Hart' })
  const business = await newBusiness(page, 'Ledge Farm')
  let name = 'ledge.farm'
  await page.route('**/page-extras/managed', async (route) => {
    const extras = (await (await route.fetch()).json()) as object
    const socialLinks = [{ network: 'instagram', url: `https://www.instagram.com/${name}` }]
    await route.fulfill({ json: { ...extras, socialLinks, isUnlocked: { gallery: true, socialLinks: true } } })
  })
  await page.goto(`/business-dashboard/profile?business=${business.slug}`)
  const links = page.getByRole('region', { name: 'Social links', exact: true })
  await links.getByLabel('YouTube').fill('ledgefarm')
  name = 'ledge.farms'
  await page.reload()
  await expect(links.getByLabel('YouTube')).toHaveValue('ledgefarm')
  await expect(links.getByLabel('Instagram')).toHaveValue('https://www.instagram.com/ledge.farms')
  const sent = page.waitForRequest((request) => request.method() === 'PATCH')
  await links.getByRole('button', { name: 'Save links' }).click()
  expect((await sent).postDataJSON()).toEqual({ youtube: 'ledgefarm' })
})

test('shows a logo and amenities to members and visitors even without a plan', async ({ newMember, browser }) => {
  const { page } = await newMember({ firstName: 'Olive', lastName: 'Hart' })
  const business = await newBusiness(page, 'Lamp Post')
  await page.goto(`/business-dashboard/profile?business=${business.slug}`)
  await page.locator('input[type=file][aria-label=Logo]').setInputFiles(await picture('logo.jpg', '#3a5a3a'))
  await expect(page.getByText('Ready', { exact: true })).toBeVisible({ timeout: 60_000 })
  await page.getByRole('button', { name: 'Save page' }).click()
  await expect(page.getByRole('img', { name: `Current logo of ${business.name}` })).toBeVisible()
  const card = page.getByRole('region', { name: 'Amenities' })
  await expect(card.getByRole('button', { name: 'Save amenities' })).toBeDisabled()
  for (const name of ['ATM', 'Wheelchair accessible']) await card.getByRole('checkbox', { name }).check()
  // Simulates a teammate who saves other amenities at the same time.
  expect((await page.request.patch(`/api/businesses/${business.id}`, { data: { amenities: ['parking'] } })).status()).toBe(200)
  await card.getByRole('button', { name: 'Save amenities' }).click()
  await expect(toastWith(page, 'Amenities saved')).toContainText('They’re live on your page.')
  await expectAccessible(page)

  const visitor = await (await browser.newContext()).newPage()
  for (const [viewer, path] of [
    [page, `/business/${business.slug}`],
    [visitor, `/menu/${business.slug}`],
  ] as const) {
    await viewer.goto(path)
    await expect(viewer.getByRole('list', { name: 'Amenities' }).getByRole('listitem')).toHaveText([
      'ATM',
      'Parking',
      'Wheelchair accessible',
    ])
    await expect(viewer.locator('main img[src*="/media/"]').first()).toBeVisible()
  }
  await visitor.context().close()
})
