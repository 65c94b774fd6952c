import { expect, test } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { toastWith } from './directory.ts'
import { joinByCall, newPerson } from './people.ts'

test('warns in the composer about text that would be held, and shows the author the reasons and the passages', async ({ browser }) => {
  const contexts = [await browser.newContext(), await browser.newContext()]
  const [writer, reader] = await Promise.all(contexts.map((context) => context.newPage()))
  if (!writer || !reader) throw new Error('Two pages were asked for')
  await joinByCall(writer, newPerson())
  await joinByCall(reader, newPerson())

  await writer.goto('/create-post')
  await writer.getByRole('textbox', { name: 'Title' }).fill('From the shed')
  const content = writer.getByRole('textbox', { name: 'Content' })
  await content.fill('The first jars smell of pine.')
  const hints = writer.getByRole('region', { name: 'What the rules say' })
  await expect(hints).toBeHidden()

  await content.fill('The first jars smell of pine. This one cures migraines, see https://acre.example/jars for more.')
  await expect(hints).toContainText('A moderator will review this first')
  await expect(hints.locator('mark')).toHaveText(['cures migraines', 'https://acre.example/jars'])
  await expect(hints).toContainText('You can’t say that a product treats, prevents or cures anything.')
  await expectAccessible(writer)

  // The notice doesn't prevent posting.
  await writer.getByRole('button', { name: 'Post', exact: true }).click()
  await expect(toastWith(writer, 'Waiting for a moderator')).toBeVisible()
  await expect(writer).toHaveURL(/\/post\//)
  const post = writer.getByRole('article').filter({ has: writer.getByRole('heading', { level: 1, name: 'From the shed' }) })
  await expect(post).toContainText('Held for review.')
  await expect(post.getByRole('listitem').filter({ hasText: 'It has a link, and the account is new.' })).toBeVisible()
  await expect(post.getByRole('link', { name: 'https://acre.example/jars', exact: true })).toHaveAttribute('rel', /nofollow/)
  expect((await reader.request.get(`/api/posts/${writer.url().split('/').at(-1)}`)).status()).toBe(404)

  await post.getByRole('link', { name: 'your account status' }).click()
  const waiting = writer.getByRole('region', { name: 'Waiting for a moderator' })
  await expect(waiting.getByRole('heading', { name: 'Waiting for a moderator' })).toBeFocused()
  await expect(waiting.getByRole('listitem').filter({ hasText: 'It has a link, and the account is new.' }).first()).toContainText('Post')
  await expectAccessible(writer)
  await waiting.getByRole('link', { name: 'From the shed' }).click()
  await expect(post).toContainText('Held for review.')
  await Promise.all(contexts.map((context) => context.close()))
})

test('posts even if hints about the text appear above the button while it is pressed', async ({ page }) => {
  await joinByCall(page, newPerson())
  await page.goto('/create-post')
  const content = page.getByRole('textbox', { name: 'Content' })
  const hints = page.getByRole('region', { name: 'What the rules say' })
  await page.getByRole('textbox', { name: 'Title' }).fill('From the shed')
  // Loads the rules, so that only the pause after typing remains.
  await content.fill('This one cures migraines.')
  await expect(hints).toBeVisible()
  await content.fill('The first jars smell of pine.')
  await expect(hints).toBeHidden()
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await content.fill('This one cures migraines.')
  await page.getByRole('button', { name: 'Post', exact: true }).hover()
  await page.mouse.down()
  await page.clock.runFor(700)
  await page.mouse.up()
  await page.clock.resume()
  await expect(toastWith(page, 'Waiting for a moderator')).toBeVisible()
})

test('publishes the rules, each with its source', async ({ page }) => {
  await page.goto('/guidelines')
  await page.getByRole('link', { name: 'each state’s rules' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Rules for advertising, by place' })).toBeVisible()
  const california = page.getByRole('region', { name: 'California' })
  await expect(california.getByRole('link', { name: 'Cal. Bus. & Prof. Code § 26151(a)' })).toHaveAttribute(
    'href',
    /leginfo\.legislature\.ca\.gov/,
  )
  await expect(california).toContainText('text checked on November 21, 2026')
})
