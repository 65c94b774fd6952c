import type { Browser, BrowserContext, Page } from '@playwright/test'
import { expect, test } from '@playwright/test'
import sharp from 'sharp'
import { expectAccessible } from './accessibility.ts'
import { appIsThere, hold } from './app.ts'
import { findBusinesses, toastWith } from './directory.ts'
import { newBusiness, post } from './members.ts'
import { joinByCall, newPerson, registerByCall } from './people.ts'

type Business = { id: string; slug: string; name: string }

async function writerAndReader(browser: Browser): Promise<{ writer: Page; reader: Page; business: Business; close: () => Promise<void> }> {
  const contexts: BrowserContext[] = [await browser.newContext(), await browser.newContext()]
  const [writer, reader] = (await Promise.all(contexts.map((context) => context.newPage()))) as [Page, Page]
  await registerByCall(writer, { ...newPerson(), firstName: 'Ada', lastName: 'Grove' }, 'business')
  const made = await writer.request.post('/api/businesses', { data: { businessName: uniqueName(), location: 'Boulder, CO' } })
  expect(made.status(), await made.text()).toBe(201)
  const business = (await made.json()) as Business
  await joinByCall(reader, newPerson())
  return { writer, reader, business, close: async () => void (await Promise.all(contexts.map((context) => context.close()))) }
}

const uniqueName = () => `Quiet Acre ${Math.random().toString(36).slice(2, 8)}`

const picture = async (name: string) => ({
  name,
  mimeType: 'image/jpeg',
  buffer: await sharp({ create: { width: 900, height: 600, channels: 3, background: '#7a9a5a' } })
    .jpeg()
    .toBuffer(),
})

const card = (page: Page, title: string) =>
  page.getByRole('article').filter({ has: page.getByRole('heading', { name: title, exact: true }) })

async function write(page: Page, title: string, content: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Title' }).fill(title)
  await page.getByRole('textbox', { name: 'Content' }).fill(content)
}

test('delivers a photo post live to a follower, who likes it and discusses it with the author', async ({ browser }) => {
  const { writer, reader, business, close } = await writerAndReader(browser)
  expect((await reader.request.put(`/api/businesses/${business.id}/follow`)).status()).toBe(200)
  await reader.goto('/')
  await expect(reader.getByText('No posts in your feed yet.')).toBeVisible()

  await writer.goto('/')
  await writer.getByRole('banner').getByRole('link', { name: 'Post', exact: true }).click()
  await expect(writer.getByLabel('Post as')).toHaveValue(business.id)
  await write(writer, 'First frost', 'The field went white at four.')
  await writer.getByLabel('Photos', { exact: true }).setInputFiles(await picture('frost.jpg'))
  await expect(writer.getByText('Ready', { exact: true })).toBeVisible({ timeout: 30_000 })
  await writer.getByLabel('Description').fill('A field under frost')
  await writer.getByRole('button', { name: 'Add Tags' }).click()
  await writer.getByRole('textbox', { name: 'Tags' }).fill('#Harvest')
  await writer.keyboard.press('Enter')
  await expectAccessible(writer)
  await writer.getByRole('button', { name: 'Post', exact: true }).click()
  await expect(toastWith(writer, 'Success!')).toContainText('Your post has been created successfully.')
  await expect(writer).toHaveURL('/')
  await expect(card(writer, 'First frost')).toBeVisible()

  // The list doesn't move until the reader presses the pill.
  const pill = reader.getByRole('button', { name: '1 new post' })
  await expect(pill).toBeVisible()
  await expect(card(reader, 'First frost')).toBeHidden()
  await pill.click()
  const post = card(reader, 'First frost')
  await expect(post).toContainText(`You follow ${business.name}`)
  await expect(post).toContainText('#harvest')
  await expect(pill).toBeHidden()
  await expect(reader.getByRole('heading', { name: 'Your feed' })).toBeFocused()

  const like = post.getByRole('button', { name: /^Like/ })
  await like.click()
  await expect(like).toHaveAttribute('aria-pressed', 'true')
  await expect(like).toContainText('1 like')

  await post.getByRole('button', { name: 'Picture: A field under frost' }).click()
  const lightbox = reader.getByRole('dialog', { name: 'First frost' })
  await expect(lightbox.getByRole('img', { name: 'A field under frost' })).toBeVisible()
  // A dialog listens for Escape once it has focus.
  await expect(lightbox.locator(':focus')).toBeAttached()
  await reader.keyboard.press('Escape')
  await expect(lightbox).toBeHidden()
  await expect(post.getByRole('button', { name: 'Picture: A field under frost' })).toBeFocused()

  await post.getByRole('link', { name: 'Comment' }).click()
  await expect(reader.getByRole('heading', { level: 1, name: 'First frost' })).toBeVisible()
  const field = reader.getByRole('textbox', { name: 'Write a comment' })
  await expect(field).toBeFocused()
  await field.fill('Is the market still on?')
  await reader.reload()
  await expect(field).toHaveValue('Is the market still on?')
  await reader.getByRole('button', { name: 'Comment', exact: true }).last().click()
  await expect(reader.getByRole('article', { name: 'Comment by Robin Vale' })).toContainText('Is the market still on?')
  await expectAccessible(reader)

  await card(writer, 'First frost').getByRole('link', { name: 'First frost' }).click()
  const question = writer.getByRole('article', { name: 'Comment by Robin Vale' })
  await question.getByRole('button', { name: 'Reply to Robin Vale' }).click()
  await writer.getByRole('textbox', { name: 'Reply to Robin Vale' }).fill('It is, from nine.')
  await writer.getByRole('button', { name: 'Reply', exact: true }).click()
  const answer = writer.getByRole('article', { name: `Reply by ${business.name}` })
  await expect(answer).toContainText('It is, from nine.')
  const answerId = (await answer.getAttribute('id')) as string

  // A link to the reply opens its thread.
  await reader.goto(`${new URL(reader.url()).pathname}#${answerId}`)
  await reader.reload()
  await expect(reader.locator(`#${answerId}`)).toBeFocused()

  const edited = reader.getByRole('textbox', { name: 'Edit your comment' })
  const edit = async () => {
    await reader.getByRole('button', { name: 'More actions for the comment by Robin Vale' }).click()
    await reader.getByRole('menuitem', { name: 'Edit' }).click()
  }
  await edit()
  await edited.fill('Is the market on this week?')
  await reader.reload()
  await edit()
  await expect(edited).toHaveValue('Is the market on this week?')
  await reader.getByRole('button', { name: 'Save' }).click()
  await expect(reader.getByRole('article', { name: 'Comment by Robin Vale' })).toContainText('Is the market on this week?')
  await close()
})

test('locks an exclusive post until the reader subscribes', async ({ browser }) => {
  const { writer, reader, business, close } = await writerAndReader(browser)
  await writer.goto('/create-post')
  await write(writer, 'For subscribers', 'The password of the cellar is marigold.')
  await writer.getByRole('checkbox', { name: /^Exclusive/ }).check()
  await writer.getByRole('button', { name: 'Post', exact: true }).click()
  await expect(toastWith(writer, 'Success!')).toBeVisible()
  await expect(card(writer, 'For subscribers')).toContainText('Premium')
  const address = await card(writer, 'For subscribers').getByRole('link', { name: 'For subscribers' }).getAttribute('href')

  await reader.goto(address as string)
  const post = card(reader, 'For subscribers')
  await expect(post).toContainText(`For subscribers to ${business.name}`)
  await expect(post).toContainText('Premium')
  expect(await reader.content()).not.toContain('marigold')
  await expect(reader.getByRole('heading', { name: 'Comments' })).toBeHidden()
  await expectAccessible(reader, ['light'])
  await post.getByRole('button', { name: 'Subscribe free', exact: true }).click()
  await expect(toastWith(reader, 'Subscribed!')).toBeVisible()
  await expect(post).toContainText('The password of the cellar is marigold.')
  await expect(reader.getByRole('heading', { name: 'Comments' })).toBeVisible()
  await close()
})

test('reports missing fields, shows a hint for each type, restores a draft after a reload, and goes back on Cancel', async ({ page }) => {
  await joinByCall(page, newPerson())
  await page.goto('/create-post')
  for (const name of ['Add Photo', 'Add Video', 'Add Location', 'Add Tags']) {
    await expect(page.getByRole('button', { name, exact: true })).toBeVisible()
  }
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  await expect(page.getByText('Title is required')).toBeVisible()
  await expect(page.getByText('Content is required')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Title' })).toBeFocused()
  await expect(page.getByLabel('Post type').locator('option')).toHaveText(['Update', 'Educational'])
  await page.getByLabel('Post type').selectOption('educational')
  await expect(page.getByText('Share knowledge, tips, or educational content')).toBeVisible()
  await write(page, 'How to dry', 'Slowly.')
  await page.getByRole('button', { name: 'Add Location' }).click()
  await page.getByRole('combobox', { name: 'Location' }).fill('Denver')
  await page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option', { name: 'Denver, CO' }).first().click()
  await page
    .getByLabel('Photos', { exact: true })
    .setInputFiles([await picture('one.jpg'), await picture('two.jpg'), { name: 'IMG_1.HEIC', mimeType: '', buffer: Buffer.from('x') }])
  await expect(page.getByText('HEIC photos aren’t supported.')).toBeVisible()
  await page.getByRole('button', { name: 'Remove IMG_1.HEIC' }).click()
  await expect(page.getByText('Ready', { exact: true })).toHaveCount(2, { timeout: 30_000 })
  await page.getByRole('button', { name: 'Move two.jpg up' }).click()
  const business = await newBusiness(page, 'Hint Farm')
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('How to dry')
  await expect(page.getByLabel('Post type')).toHaveValue('educational')
  await expect(page.getByRole('combobox', { name: 'Location' })).toHaveValue('Denver, CO')
  await expect(page.getByRole('list', { name: 'Photos and videos' }).getByRole('listitem').first()).toContainText('two.jpg')
  await expect(page.getByText('Ready', { exact: true })).toHaveCount(2)
  // Unavailable types are disabled from the start, with a reason.
  await page.getByLabel('Post as').selectOption(business.id)
  await expect(page.getByLabel('Post type').locator('option:disabled')).toHaveText([
    'Promotion (needs a verified license)',
    'Product (needs a verified license)',
  ])
  await expect(page.getByText('Promotions and products need a verified license.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Verify your license' })).toHaveAttribute(
    'href',
    `/business-dashboard/license?business=${business.slug}`,
  )
  await page.route('**/api/businesses/mine', async (route) => {
    const mine = (await (await route.fetch()).json()) as object[]
    await route.fulfill({ json: mine.map((each) => ({ ...each, isLicenseVerified: true })) })
  })
  await page.reload()
  await expect(page.getByLabel('Post as')).toHaveValue(business.id)
  for (const [type, hint] of [
    ['update', 'Share your cannabis journey, growing updates, or general thoughts'],
    ['promotion', 'Promote your products, deals, or special offers'],
    ['product', 'Showcase a specific product or strain'],
    ['educational', 'Share knowledge, tips, or educational content'],
  ] as const) {
    await page.getByLabel('Post type').selectOption(type)
    await expect(page.getByText(hint, { exact: true })).toBeVisible()
  }
  await expect(page.getByLabel('Post type').locator('option')).toHaveText(['Update', 'Promotion', 'Educational', 'Product'])

  await page.route('**/api/posts', (route) => route.fulfill({ status: 500, json: { message: 'Something went wrong.', code: 'internal' } }))
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  await expect(toastWith(page, 'Error')).toContainText('Failed to create post. Please try again.')
  await page.unroute('**/api/posts')
  const release = await hold(page, '**/api/posts')
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Creating...' })).toBeVisible()
  release()
  await expect(page).toHaveURL('/')
  await expect(card(page, 'How to dry')).toContainText('Denver, CO')
  await expect(card(page, 'How to dry').getByRole('button', { name: /^Picture/ })).toHaveCount(2)

  await page.getByRole('banner').getByRole('link', { name: 'Favorites' }).click()
  await expect(page).toHaveURL('/favorites')
  await page.getByRole('banner').getByRole('link', { name: 'Post', exact: true }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL('/favorites')
  // Cancel also works after a page load, and without history.
  await page.goto('/create-post')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL('/favorites')
  const fresh = await page.context().newPage()
  await fresh.goto('/create-post')
  await fresh.getByRole('button', { name: 'Cancel' }).click()
  await expect(fresh).toHaveURL('/')
})

test('resumes an upload after the connection is reset', async ({ page }) => {
  await joinByCall(page, newPerson())
  await page.goto('/create-post')
  let failures = 0
  await page.route('**/bytes?*', (route) => (failures++ < 2 ? route.abort('connectionreset') : route.continue()))
  await page.getByLabel('Photos', { exact: true }).setInputFiles(await picture('slow.jpg'))
  await expect(page.getByText('Ready', { exact: true })).toBeVisible({ timeout: 30_000 })
  expect(failures).toBeGreaterThan(2)
})

test('edits a post, deletes it, and undoes the deletion', async ({ page }) => {
  await joinByCall(page, newPerson())
  const made = await page.request.post('/api/posts', { data: { title: 'Sowing day', content: 'Six trays.' } })
  const { id } = (await made.json()) as { id: string }
  await page.goto('/')
  await card(page, 'Sowing day').getByRole('button', { name: 'More actions for Sowing day' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await expect(page.getByRole('textbox', { name: 'Content' })).toHaveValue('Six trays.')
  await page.getByRole('textbox', { name: 'Content' }).fill('Eight trays.')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('article').first()).toContainText('Eight trays.')
  await expect(page.getByRole('article').first()).toContainText('Edited')

  await page.goto('/')
  const remove = async () => {
    await card(page, 'Sowing day').getByRole('button', { name: 'More actions for Sowing day' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await expect(card(page, 'Sowing day')).toBeHidden()
  }
  await remove()
  await toastWith(page, 'Post deleted').getByRole('button', { name: 'Undo' }).click()
  await expect(card(page, 'Sowing day')).toBeVisible()
  await remove()
  await toastWith(page, 'Post deleted').getByRole('button', { name: 'Dismiss' }).click()
  await expect.poll(async () => (await page.request.get(`/api/posts/${id}`)).status()).toBe(404)
  await page.goto(`/post/${id}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Post Not Found' })).toBeVisible()
  await expectAccessible(page)
})

test('doesn’t overwrite an edit that was made while the form was open, and loads it', async ({ page }) => {
  await joinByCall(page, newPerson())
  const made = await page.request.post('/api/posts', { data: { title: 'Potting day', content: 'Six trays.' } })
  const { id } = (await made.json()) as { id: string }
  await page.goto(`/post/${id}/edit`)
  const content = page.getByRole('textbox', { name: 'Content' })
  await content.fill('Eight trays.')
  expect((await page.request.patch(`/api/posts/${id}`, { data: { content: 'Seven trays.' } })).status()).toBe(200)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Load the latest version' }).click()
  await expect(content).toHaveValue('Seven trays.')
  await content.fill('Seven trays and a pot.')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('article').first()).toContainText('Seven trays and a pot.')
})

test('disables the promotion and product types when a post of an unlicensed business is edited', async ({ page }) => {
  await joinByCall(page, newPerson())
  const business = await newBusiness(page, 'Unlicensed Farm')
  const data = { title: 'Soil', content: 'Water it', businessId: business.id }
  const { id } = (await (await page.request.post('/api/posts', { data })).json()) as { id: string }
  await page.goto(`/post/${id}/edit`)
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('Soil')
  await expect(page.getByLabel('Post type').locator('option:disabled')).toHaveText([
    'Promotion (needs a verified license)',
    'Product (needs a verified license)',
  ])
})

test('asks for a city on Home when the person’s place is unknown, without a failing call', async ({ page }) => {
  await joinByCall(page, newPerson())
  await page.request.patch('/api/user/settings/profile', { data: { location: 'Lisbon, Portugal' } })
  const failed: string[] = []
  page.on('response', (answer) => {
    if (answer.status() >= 400) failed.push(`${answer.status()} ${answer.url()}`)
  })
  await page.goto('/')
  await appIsThere(page)
  const near = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Near you' }) })
  await expect(near).toContainText('We couldn’t find “Lisbon, Portugal”. Enter a US city to see the businesses around it.')
  await near.getByRole('link', { name: 'Set your city' }).click()
  await expect(page.getByRole('heading', { name: 'Profile Information' })).toBeVisible()
  expect(failed).toEqual([])
})

test('shows placeholders, counts, favorites, and nearby businesses on Home, puts the filter in the address, and rolls back failed likes', async ({
  page,
}) => {
  await joinByCall(page, newPerson())
  const [some] = await findBusinesses(page, 'near=Boulder,+CO&type=dispensary&limit=1')
  await post(page, '/api/favorites', { businessId: some!.id })
  await page.goto('/favorites')
  await appIsThere(page)
  const release = await hold(page, /\/api\/feed(\?|$)/)
  await page.getByRole('banner').getByRole('link', { name: 'Home' }).click()
  const loading = page.getByRole('status').filter({ hasText: 'Loading your feed...' })
  await expect(loading.locator('[aria-hidden="true"] > *')).toHaveCount(3)
  release()

  await expect(page.getByRole('heading', { level: 1, name: 'Welcome, Robin Vale' })).toBeVisible()
  await expect(page.getByRole('main').locator('dt')).toContainText(['Following', 'Followers', 'Likes', 'Comments', 'Reviews', 'Favorites'])
  await expect(page.getByRole('link', { name: 'Following' })).toHaveAttribute('href', /\/people\/.+\/following/)
  await expect(page.getByRole('region', { name: 'Trending' }).getByRole('listitem')).toHaveCount(3)
  await expect(page.getByRole('region', { name: 'Featured Businesses' }).getByRole('listitem')).toHaveCount(4)
  const section = (title: string) => page.locator('section').filter({ has: page.getByRole('heading', { name: title }) })
  await expect(section('Your favorites').getByRole('link', { name: some!.name })).toBeVisible()
  // People who follow no one yet see two businesses above their empty feed.
  await expect(section('Near you').getByRole('article')).toHaveCount(2)
  await expect(section('Near you').getByRole('article').first()).toContainText('mi')
  await expect(page.getByRole('heading', { name: 'Discover', exact: true })).toBeVisible()
  const suggested = page.getByRole('region', { name: 'Discover' }).getByRole('article').first()
  await expect(suggested).toContainText('Suggested')
  // The guide opens only on request, and axe must also check it.
  await page.getByRole('button', { name: /^Guide/ }).click()
  await expect(page.getByRole('region', { name: 'Guide' }).getByRole('progressbar', { name: 'Steps done' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Guide' }).getByText(/^Welcome to Sungrove, /)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Minimize the guide' }).click()

  const like = suggested.getByRole('button', { name: /^Like/ })
  const before = await like.textContent()
  await page.route('**/api/posts/*/like', (route) => route.fulfill({ status: 500, json: { message: 'No.', code: 'internal' } }))
  await like.click()
  await expect(toastWith(page, 'Error')).toContainText('Failed to update like status')
  await expect(like).toHaveAttribute('aria-pressed', 'false')
  expect(await like.textContent()).toBe(before)
  await page.unroute('**/api/posts/*/like')
  await like.click()
  await expect(like).toHaveAttribute('aria-pressed', 'true')

  const filters = page.getByRole('navigation', { name: 'Feed' })
  await expect(filters.getByRole('link')).toHaveText(['All', 'Farms', 'Dispensaries'])
  await filters.getByRole('link', { name: 'Dispensaries' }).click()
  await expect(page).toHaveURL('/?type=dispensary')
  const articles = page.getByRole('region', { name: 'Discover' }).getByRole('article')
  await expect(articles.filter({ hasText: 'Dispensary ·' })).not.toHaveCount(0)
  await expect(articles.filter({ hasNotText: 'Dispensary ·' })).toHaveCount(0)
  await page.reload()
  await expect(filters.getByRole('link', { name: 'Dispensaries' })).toHaveAttribute('aria-current', 'page')
  await expect(filters.getByRole('link', { name: 'All' })).not.toHaveAttribute('aria-current')
  await page.setViewportSize({ width: 320, height: 640 })
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  // The cards and colors are the same as above.
  await expectAccessible(page, ['light'])

  // An empty first page is followed by another page.
  const feed = page.getByRole('region', { name: 'Your feed' })
  await page.route(/\/api\/feed(\?|$)/, (route) => {
    const isFirst = !route.request().url().includes('cursor=')
    return route.fulfill({ json: [], headers: isFirst ? { link: '</api/feed?cursor=next>; rel="next"' } : {} })
  })
  await filters.getByRole('link', { name: 'Farms' }).click()
  await feed.getByRole('button', { name: 'Load More Posts' }).click()
  await expect(feed.getByRole('button', { name: 'Load More Posts' })).toBeHidden()
  await expect(feed.getByText('No posts in your feed yet.')).toBeVisible()
  await expect(feed.getByRole('link', { name: 'Discover', exact: true })).toHaveAttribute('href', '/discover')
  await page.getByRole('link', { name: 'See all near you' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Near Denver, CO' })).toBeVisible()
})
