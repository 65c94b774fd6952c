import { setTimeout } from 'node:timers/promises'
import { expect, test } from '@playwright/test'
import { toastWith } from './directory.ts'
import { joinByCall, newPerson } from './people.ts'

test('deletes a post as soon as the page is hidden or the author signs out, even while Undo is offered', async ({ page, browser }) => {
  await joinByCall(page, newPerson())
  const others = await browser.newContext()
  const reader = await others.newPage()
  await joinByCall(reader, newPerson())
  const publish = async (title: string) =>
    ((await (await page.request.post('/api/posts', { data: { title, content: 'Six trays.' } })).json()) as { id: string }).id
  const [first, second] = [await publish('Sowing day'), await publish('Potting day')]
  const status = (id: string) => async () => (await reader.request.get(`/api/posts/${id}`)).status()
  expect([await status(first)(), await status(second)()]).toEqual([200, 200])
  await page.goto('/')
  const remove = async (title: string) => {
    await page.getByRole('button', { name: `More actions for ${title}` }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await expect(toastWith(page, 'Post deleted')).toBeVisible()
    // Stops the toast's timer, so it can't delete the post.
    await page.evaluate(() => window.dispatchEvent(new Event('blur')))
  }
  await remove('Sowing day')
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: 'hidden' })
    document.dispatchEvent(new Event('visibilitychange'))
  })
  await expect(toastWith(page, 'Post deleted')).toBeHidden()
  await expect.poll(status(first)).toBe(404)

  await remove('Potting day')
  // Without waiting for the deletion, signing out would end the session first.
  await page.route(`**/api/posts/${second}`, async (route) => {
    await setTimeout(1_000)
    await route.continue()
  })
  await page.getByRole('button', { name: 'Account: Robin Vale' }).click()
  await page.getByRole('dialog', { name: 'Account' }).getByRole('link', { name: 'Sign out' }).click()
  await expect.poll(status(second)).toBe(404)
  await others.close()
})
