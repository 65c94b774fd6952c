import fs from 'node:fs'
import { expect, test } from '@playwright/test'
import { unzip } from '#tests/support/unzip.ts'
import { expectAccessible } from './accessibility.ts'
import { toastWith } from './directory.ts'
import { post } from './members.ts'
import { joinByCall, newPerson } from './people.ts'

test('exports a person’s data to a downloadable file', async ({ page }) => {
  const person = newPerson()
  await joinByCall(page, person)
  await post(page, '/api/posts', { title: 'Rye between the rows', content: 'It keeps the soil.' })
  await page.goto('/settings#data')
  const part = page.getByRole('region', { name: 'Your data' })
  await part.getByRole('button', { name: 'Prepare download' }).click()
  await expect(part.getByText(/^ZIP, /)).toBeVisible()
  await expectAccessible(page)

  await part.getByRole('button', { name: 'Download', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Download your data' })
  await dialog.getByLabel('Your password').fill('not this one')
  await dialog.getByRole('button', { name: 'Download' }).click()
  await expect(dialog.getByText('This isn’t your password.')).toBeVisible()
  await dialog.getByLabel('Your password').fill(person.password)
  const [download] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'Download' }).click()])
  expect(download.suggestedFilename()).toMatch(/^sungrove-data-\d{4}-\d\d-\d\d\.zip$/)
  const files = unzip(fs.readFileSync(await download.path()))
  expect(files.get('README.txt')?.toString()).toContain(person.email)
  expect(JSON.parse(String(files.get('data/posts.json')))).toMatchObject([{ title: 'Rye between the rows' }])
})

test('schedules an account for deletion, then cancels the deletion', async ({ page }) => {
  const person = newPerson()
  const problems: string[] = []
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  await joinByCall(page, person)
  await page.goto('/settings#data')
  await page.getByRole('button', { name: 'Delete account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await expect(dialog.getByText('Type “delete my account”').last()).toBeVisible()
  await expectAccessible(page)
  await dialog.getByLabel('Type “delete my account”').fill('delete my account')
  await dialog.getByLabel('Your password').fill(person.password)
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await expect(page).toHaveURL('/auth')
  await expect(page.getByText(/^Your account will be deleted on .+\.$/)).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expectAccessible(page)
  expect((await page.request.get('/api/auth/user')).status()).toBe(401)
  expect(problems).toEqual([])

  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click()
  await page.waitForURL('/')
  await page.goto('/discover')
  await expect(page.getByRole('heading', { level: 1, name: /^Your account will be deleted on / })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Keep my account' }).click()
  await expect(toastWith(page, 'You kept your account')).toBeVisible()
  await expect(page).toHaveURL('/')
  await page.goto('/settings#data')
  await expect(page.getByRole('button', { name: 'Delete account' })).toBeEnabled()
})

test('offers the deletion as soon as nothing prevents it anymore', async ({ page }) => {
  await joinByCall(page, newPerson())
  const details = { description: 'Compost and worms.', category: 'growing', visibility: 'private' }
  const answer = await page.request.post('/api/communities', { data: { ...details, name: 'Closing Soon' } })
  const { id } = (await answer.json()) as { id: string }
  await page.goto('/settings#data')
  const part = page.getByRole('region', { name: 'Your data' })
  await expect(part.getByRole('button', { name: 'Delete account' })).toBeDisabled()
  await part.getByRole('link', { name: 'Closing Soon' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Closing Soon' })).toBeVisible()
  expect((await page.request.delete(`/api/communities/${id}`, { data: { name: 'Closing Soon' } })).ok()).toBe(true)
  await page.goBack()
  await expect(part.getByRole('button', { name: 'Delete account' })).toBeEnabled()
})

test('reports in a dialog that sign-in methods couldn’t be loaded, and retries', async ({ page }) => {
  await joinByCall(page, newPerson())
  await page.route('**/api/sign-in', (route) => route.abort())
  await page.goto('/settings#data')
  await page.getByRole('button', { name: 'Delete account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  await expect(dialog.getByText('Your sign-in methods couldn’t be loaded')).toBeVisible()
  await page.unroute('**/api/sign-in')
  await dialog.getByRole('button', { name: 'Retry' }).click()
  await expect(dialog.getByLabel('Your password')).toBeVisible()
})

test('sends a confirmed change once when it is submitted twice', async ({ page }) => {
  const person = newPerson()
  await joinByCall(page, person)
  await page.goto('/settings#data')
  await page.getByRole('button', { name: 'Delete account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  await dialog.getByLabel('Type “delete my account”').fill('delete my account')
  await dialog.getByLabel('Your password').fill(person.password)
  let sent = 0
  await page.route('**/api/user/deletion', (route) => {
    if (route.request().method() !== 'GET') sent++
    return route.continue()
  })
  await dialog.locator('form').evaluate((form: HTMLFormElement) => {
    form.requestSubmit()
    form.requestSubmit()
  })
  await expect(page).toHaveURL('/auth')
  expect(sent).toBe(1)
})
