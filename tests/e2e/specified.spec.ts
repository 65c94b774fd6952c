import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { hold } from './app.ts'
import { builtFile } from './built-files.ts'
import { newBusiness, post, test } from './members.ts'
import { joinByCall, newPerson } from './people.ts'

// Covers details of the specification that no other test covers: docs/specification.md maps sentences to tests.

const main = (page: Page) => page.getByRole('main')

test('shows Loading... while the first screen loads', async ({ page }) => {
  const release = await hold(page, `**${builtFile('screens/sign-in/auth-screen.tsx')}`)
  await page.goto('/discover', { waitUntil: 'commit' })
  await expect(page.getByText('Loading...', { exact: true })).toBeVisible()
  release()
  await expect(page.getByRole('heading', { name: 'Sign in to see Discover' })).toBeVisible()
  await expect(page.getByText('Loading...', { exact: true })).toBeHidden()
})

test('shows a hunt’s facts and goal on its card, and selects the hunt on press', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Ines', lastName: 'Fir' })
  const hunt = { seedCount: 12, breeders: ['Ember Seeds', 'Old Mill'], growEnvironment: 'Greenhouse', goals: 'Lemon, and short.' }
  await post(page, '/api/pheno-hunts', { ...hunt, huntName: 'Lemon run', germinationDate: '2026-03-04' })
  await post(page, '/api/pheno-hunts', { huntName: 'Second run' })
  await page.goto('/pheno-hunt')
  await expect(page.getByRole('tablist', { name: 'Pheno Hunter Pro' }).getByRole('tab')).toHaveText([
    'Active Hunts',
    'Grow Logs',
    'Data Tracker',
    'Community',
  ])
  const card = page.getByRole('article', { name: 'Lemon run' })
  for (const text of ['Ember Seeds, Old Mill · 12 seeds', 'Active', 'Greenhouse', 'Mar 4', 'Lemon, and short.']) {
    await expect(card).toContainText(text)
  }
  await expect(page.getByText('2 Active')).toBeVisible()
  await expect(card.getByRole('link', { name: 'Lemon run', exact: true })).not.toHaveAttribute('aria-current')
  await card.getByRole('link', { name: 'Lemon run', exact: true }).click()
  await expect(card.getByRole('link', { name: 'Lemon run', exact: true })).toHaveAttribute('aria-current', /true|page/)
  await expect(page.getByRole('region', { name: 'Quick Stats' })).toContainText('Active hunts')
  await expect(page.getByRole('region', { name: 'Recent Activity' })).toContainText('Lemon run')
  await page.getByRole('link', { name: 'Quick Log' }).click()
  const form = page.getByRole('region', { name: 'Quick Log' })
  for (const field of ['Week', 'Height (cm)', 'Notes']) await expect(form.getByLabel(field, { exact: true })).toBeVisible()
  await expect(form.getByRole('button', { name: /^Rating \d+ of 10$/ })).toHaveCount(10)
  await expect(form.getByRole('button', { name: /^Plant #1/ })).toBeVisible()
})

test('shows four dashboard tabs and Free Account, with and without a business', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Kay', lastName: 'Holt' })
  const isComplete = async () => {
    await expect(page.getByRole('tab')).toHaveText(['Overview', 'Subscriptions', 'Locations', 'Social'])
    await expect(page.getByText('Free Account', { exact: true })).toBeVisible()
  }
  await page.goto('/business-dashboard')
  await isComplete()
  for (const [tab, title] of [
    ['Subscriptions', 'No subscriptions yet'],
    ['Locations', 'No locations yet'],
    ['Social', 'No posts yet'],
    ['Overview', 'No business yet'],
  ] as const) {
    await page.getByRole('tab', { name: tab }).click()
    await expect(page.getByRole('tabpanel', { name: tab })).toContainText(title)
    await expect(page.getByRole('tabpanel').getByRole('link', { name: 'Register Business' })).toHaveAttribute('href', '/business/register')
  }
  await expectAccessible(page)

  const business = await newBusiness(page, 'Four Tabs')
  await page.goto(`/business-dashboard?business=${business.slug}`)
  await isComplete()
})

test('requests data once when a screen opens, and not again on focus, as time passes, or after a failure', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Una', lastName: 'Birch' })
  const calls: string[] = []
  page.on('request', (request) => calls.push(new URL(request.url()).pathname))
  const count = (path: string) => calls.filter((each) => each === path).length
  await page.clock.install()
  await page.route('**/api/communities/categories', (route) => route.fulfill({ status: 500, json: { message: 'No.', code: 'internal' } }))
  // Starts on another tab, because the first screen's responses come with the page.
  await page.goto('/communities?tab=my')
  await page.getByRole('tab', { name: 'Discover' }).click()
  await expect(main(page).getByRole('article').first()).toBeVisible()
  const asked = () => [count('/api/communities'), count('/api/communities/categories')]
  await expect.poll(asked).toEqual([1, 1])
  await page.clock.fastForward('24:00:00')
  await page.evaluate(() => {
    for (const event of ['visibilitychange', 'focus']) (event === 'focus' ? window : document).dispatchEvent(new Event(event))
  })
  await page.clock.fastForward('00:10')
  expect(asked()).toEqual([1, 1])

  await page.getByRole('banner').getByRole('link', { name: 'Favorites' }).click()
  await expect(page.getByText('No Favorites Yet')).toBeVisible()
  await page.goBack()
  await expect(main(page).getByRole('article').first()).toBeVisible()
  await expect.poll(() => count('/api/communities')).toBe(2)
})

test('takes visitors from profile, settings, and favorites to sign-in and back', async ({ page }) => {
  const person = newPerson()
  await joinByCall(page, person)
  await page.context().clearCookies()
  for (const [path, texts] of [
    ['/profile', ['Profile Not Found', 'Please sign in to view your profile.']],
    ['/favorites', ['Sign In Required', 'Sign in to see your favorites']],
    ['/discover', ['Sign in to see Discover']],
    ['/settings#privacy', ['Access Denied', 'Please sign in to access settings.']],
  ] as const) {
    await page.goto(path)
    for (const text of texts) await expect(main(page), path).toContainText(text)
    await expect(page.getByRole('tab', { name: 'Sign In' }), path).toBeVisible()
    await expect(page.getByRole('tab', { name: 'Sign Up' }), path).toBeVisible()
    await expect(page.getByLabel('Email'), path).toHaveAttribute('type', 'email')
    await expect(page.getByRole('button', { name: /^(Like|Favorite|Subscribe)/ }), path).toHaveCount(0)
    await expect(page).toHaveURL(path)
  }
  await main(page).getByLabel('Email').fill(person.email)
  await main(page).getByLabel('Password', { exact: true }).fill(person.password)
  await main(page).getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Privacy & Visibility' })).toBeInViewport()
})
