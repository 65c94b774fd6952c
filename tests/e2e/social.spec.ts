import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { toastWith } from './directory.ts'
import { newBusiness, post, put, test } from './members.ts'

test('schedules a post, and gates the embedded menu by age', async ({ newMember, browser, baseURL }) => {
  const { page } = await newMember({ firstName: 'Ida', lastName: 'Terrace' })
  const { id, slug, name } = await newBusiness(page, 'Terrace')
  await page.goto('/create-post')
  await expect(page.getByLabel('Post as')).toHaveValue(id)
  await page.getByRole('textbox', { name: 'Title' }).fill('Harvest supper')
  await page.getByRole('textbox', { name: 'Content' }).fill('Come by when the lamps are lit.')
  await page.getByRole('button', { name: 'Schedule' }).click()
  const dialog = page.getByRole('dialog', { name: 'Schedule post' })
  await dialog.getByLabel('Day').fill(new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10))
  await dialog.getByLabel('Time').fill('18:30')
  await dialog.getByRole('button', { name: 'Schedule' }).click()
  await expect(toastWith(page, 'Post scheduled')).toBeVisible()
  await expect(page).toHaveURL(/business-dashboard.*tab=social/)
  await expect(page.getByRole('listitem').filter({ hasText: 'Harvest supper' })).toContainText('6:30 PM')
  await expectAccessible(page)
  // The row moves to another list, and focus isn't lost with its menu.
  await page.getByRole('button', { name: 'More actions for Harvest supper' }).click()
  await page.getByRole('menuitem', { name: 'Move to drafts' }).click()
  await expect(toastWith(page, 'Moved to drafts')).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'Harvest supper' })).not.toContainText('6:30 PM')
  await expect(page.getByRole('main').locator(':focus')).toContainText('Harvest supper')

  await post(page, `/api/businesses/${slug}/menu-items`, { name: 'Quiet Dawn', category: 'Flower', variants: [{ price: '32.00' }] })
  await put(page, `/api/businesses/${slug}/menu-sharing`, { isEmbedOn: true })
  const site = await siteWith(`<div data-embedded-menu="${slug}"></div><script src="${baseURL}/embed/menu.js"></script>`)
  const visitor = await (await browser.newContext()).newPage()
  await visitor.goto(site.url)
  const menu = visitor.frameLocator('iframe[title="Menu"]')
  await expect(menu.getByRole('heading', { name })).toBeVisible()
  await expect(menu.getByRole('heading', { name: 'Are you 21 or older?' })).toBeVisible()
  await expect(menu.getByText('Quiet Dawn')).toHaveCount(0)
  // A search would show items before the question is answered, or after “No”.
  await expect(menu.getByPlaceholder('Search this menu')).toBeHidden()
  await menu.getByRole('button', { name: 'Yes, I am' }).click()
  await expect(menu.getByRole('listitem')).toContainText(['Quiet Dawn'])
  await menu.getByRole('searchbox', { name: 'Search this menu' }).fill('loud')
  await expect(menu.getByText('No items on this menu match.')).toBeVisible()
  // Each page has the menu's only item, and the first one is followed by another.
  await visitor.route('**/items?*', async (route) => {
    const [url = '', cursor] = route.request().url().split('&cursor=')
    const response = await route.fetch({ url })
    const { items } = (await response.json()) as { items: { variants: object[] }[] }
    const potency = { thc: 10, thcMax: 10, thcUnit: null, cbd: 1, cbdMax: 2, cbdUnit: 'percent' }
    const packs = items.map((item) => ({
      ...item,
      ...potency,
      variants: item.variants.map((size) => ({ ...size, weight: 4, weightUnit: 'piece' })),
    }))
    await route.fulfill({ response, json: { items: packs, cursor: cursor === undefined ? 'next' : null } })
  })
  await menu.getByRole('searchbox').fill('dawn')
  await expect(menu.getByRole('listitem')).toContainText(['Quiet Dawn'])
  await expect(menu.getByText('THC 10 · CBD 1–2%', { exact: true })).toBeVisible()
  await expect(menu.getByRole('listitem').first()).toContainText('4-pack')
  await menu.getByRole('button', { name: 'Show more' }).press('Enter')
  await expect(menu.getByRole('listitem').nth(1)).toBeFocused()
  await visitor.context().close()
  await site.close()
})

test('offers to load the embedded menu again if the server is busy or fails', async ({ newMember, browser }) => {
  const { page } = await newMember({ firstName: 'Ida', lastName: 'Terrace' })
  const { slug } = await newBusiness(page, 'Terrace')
  await post(page, `/api/businesses/${slug}/menu-items`, { name: 'Quiet Dawn', category: 'Flower', variants: [{ price: '32.00' }] })
  await put(page, `/api/businesses/${slug}/menu-sharing`, { isEmbedOn: true })
  const visitor = await (await browser.newContext()).newPage()
  const answer = (status: number, message: string) =>
    visitor.route('**/items?*', (route) => route.fulfill({ status, json: { message } }), { times: 1 })
  await answer(429, 'Too many requests. Try again in a minute.')
  await visitor.goto(`/embed/menu/${slug}`)
  await visitor.getByRole('button', { name: 'Yes, I am' }).click()
  await expect(visitor.getByText('Too many requests.')).toBeVisible()
  await answer(500, 'Something went wrong.')
  await visitor.getByRole('button', { name: 'Try again' }).press('Enter')
  await expect(visitor.getByText('Something went wrong.')).toBeVisible()
  await expect(visitor.getByRole('button', { name: 'Try again' })).toBeFocused()
  await visitor.getByRole('button', { name: 'Try again' }).press('Enter')
  await expect(visitor.getByRole('listitem')).toContainText(['Quiet Dawn'])
  await answer(403, 'You have to be 21.')
  await visitor.getByRole('searchbox').fill('dawn')
  await expect(visitor.getByText('You have to be 21.')).toBeVisible()
  await expect(visitor.getByRole('button', { name: 'Try again' })).toBeHidden()
  await visitor.context().close()
})

test('requests the comments that precede a linked one once, and again only on Retry', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Nils', lastName: 'Aske' })
  const answer = await page.request.post('/api/posts', { data: { title: 'Long talk', content: 'Go on.', postType: 'update' } })
  const { id } = (await answer.json()) as { id: string }
  let last = ''
  for (let each = 1; each <= 21; each++) {
    const written = await page.request.post(`/api/posts/${id}/comments`, { data: { content: `Comment ${each}` } })
    expect(written.status(), await written.text()).toBe(201)
    last = ((await written.json()) as { id: string }).id
  }
  let asked = 0
  await page.route(/\/comments\?.*cursor=/, (route) => {
    asked++
    return asked === 1 ? route.abort() : route.continue()
  })
  await page.goto(`/post/${id}#comment-${last}`)
  const failure = page.getByRole('alert').filter({ hasText: 'Couldn’t load more.' })
  await expect(failure).toBeVisible()
  expect(asked).toBe(1)
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.locator(`#comment-${last}`)).toBeFocused()
})

/** Serves another site with the snippet that the business pasted. */
async function siteWith(body: string): Promise<{ url: string; close: () => Promise<unknown> }> {
  const server = http.createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><html lang="en"><title>Shop</title>${body}`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
