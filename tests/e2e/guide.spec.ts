import { expect, type Page, test } from '@playwright/test'
import type { GuideProgress } from '#contracts/guide.endpoints.ts'
import { expectAccessible } from './accessibility.ts'
import { hold, written } from './app.ts'
import { findBusinesses, toastWith } from './directory.ts'
import { joinByCall, newPerson } from './people.ts'

test.beforeEach(async ({ page }) => {
  await joinByCall(page, newPerson())
})

const guide = (page: Page) => page.getByRole('region', { name: 'Guide' })
/** The guide is only a button until it is opened. */
async function openGuide(page: Page): Promise<void> {
  await expect(guide(page)).toHaveCount(0)
  await page.getByRole('button', { name: /^Guide/ }).click()
}
const step = (page: Page, name: string) => guide(page).getByRole('list', { name: 'Checklist' }).getByRole('button', { name })
const progressOf = async (page: Page) => (await (await page.request.get('/api/ai/progress')).json()) as GuideProgress

test('shows a newcomer the checklist on Home and counts completed steps', async ({ page }) => {
  const welcomed = page.waitForRequest('**/api/ai/onboarding')
  await page.goto('/')
  await openGuide(page)
  // The card itself makes this request, with the specification's fields.
  const { type, userType, userName, interests } = (await welcomed).postDataJSON()
  expect({ type, userType }).toEqual({ type: 'welcome', userType: 'consumer' })
  expect(Array.isArray(interests) && typeof userName === 'string').toBe(true)
  await expect(guide(page).getByText(/^Welcome to Sungrove, /)).toBeVisible()

  const { completed, total, current, steps } = await progressOf(page)
  const bar = guide(page).getByRole('progressbar', { name: 'Steps done' })
  await expect(bar).toHaveAttribute('aria-valuenow', String(completed))
  await expect(bar).toHaveAttribute('aria-valuemax', String(total))
  await expect(guide(page).getByText(`${completed}/${total}`)).toBeVisible()
  const title = (id: string | null) => steps.find((each) => each.id === id)?.title ?? ''
  await expect(step(page, title(current))).toHaveAttribute('aria-expanded', 'true')

  // Next Step advances, and the position survives a reload.
  const open = steps.filter(({ isDone }) => !isDone)
  const kept = written(page, /\/ai\/progress$/)
  await guide(page).getByRole('button', { name: 'Next Step' }).click()
  await expect(step(page, open[1]?.title ?? '')).toHaveAttribute('aria-expanded', 'true')
  await kept
  await page.reload()
  await expect(step(page, open[1]?.title ?? '')).toHaveAttribute('aria-expanded', 'true')

  // Get Started marks the step as done, navigates, and closes the guide.
  await guide(page)
    .getByRole('link', { name: `Get Started: ${open[1]?.title}` })
    .click()
  await expect(page).toHaveURL(open[1]?.path ?? '')
  const small = page.getByRole('button', { name: `Guide, ${completed + 1} of ${total} steps done` })
  await expect(small).toBeVisible()
  await expect(guide(page)).toBeHidden()
  await small.click()
  await expect(guide(page)).toBeFocused()
  await expect(guide(page).getByText(`${completed + 1}/${total}`)).toBeVisible()

  await step(page, `${open[1]?.title}, done`).click()
  await guide(page).getByRole('button', { name: 'Not done yet' }).click()
  await expect(guide(page).getByText(`${completed}/${total}`)).toBeVisible()
})

test('retries a question after a failure, cites sources, refers an emergency to Poison Control, and declines legal questions', async ({
  page,
}) => {
  await page.goto('/')
  await openGuide(page)
  const field = guide(page).getByRole('textbox', { name: 'Ask the guide' })
  await field.fill('how do I write a review')
  await page.reload()
  await expect(field).toHaveValue('how do I write a review')
  await page.route('**/api/ai/questions', (route) =>
    route.fulfill({ status: 503, json: { message: 'Try again in a minute.', code: 'unavailable' } }),
  )
  await field.press('Enter')
  await expect(guide(page).getByText('Try again in a minute.')).toBeVisible()
  await page.unroute('**/api/ai/questions')
  await guide(page).getByRole('button', { name: 'Retry' }).click()
  await expect(guide(page).getByText(/one review per business/)).toBeVisible()
  await guide(page).getByRole('button', { name: 'Checklist' }).click()

  await field.fill('What does subscribing do?')
  await field.press('Enter')
  await expect(guide(page).getByText(/^It unlocks a business’s subscriber-only posts\./)).toBeVisible()
  await expectAccessible(page)
  await guide(page).getByRole('link', { name: 'What does subscribing do?' }).click()
  await expect(page).toHaveURL('/help#keep')

  await page.getByRole('button', { name: /^Guide, / }).click()
  await field.fill('My dog ate an edible')
  await field.press('Enter')
  await expect(guide(page).getByText(/Poison Control at 1-800-222-1222/)).toBeVisible()
  await guide(page).getByRole('button', { name: 'Checklist' }).click()
  await field.fill('Is it legal to advertise weed in Oregon?')
  await field.press('Enter')
  await expect(guide(page).getByText(/^I can’t answer legal questions/)).toBeVisible()
  await expect(guide(page).getByRole('link', { name: 'Rules, place by place' })).toHaveAttribute('href', '/rules')
})

test('answers with prices and places, and links to them with the filters it used', async ({ page }) => {
  await page.goto('/')
  await openGuide(page)
  const field = guide(page).getByRole('textbox', { name: 'Ask the guide' })
  await field.fill('cheapest pre-rolls in Denver')
  await field.press('Enter')
  await expect(guide(page).getByText('In stock in Denver, CO, cheapest first:')).toBeVisible()
  await expect(
    guide(page)
      .getByRole('link', { name: /pre-roll.*\$\d/i })
      .first(),
  ).toHaveAttribute('href', /^\/product\//)
  await expectAccessible(page)

  await guide(page).getByRole('button', { name: 'Checklist' }).click()
  await field.fill('where is the closest dispensary to Denver thats open right now')
  await field.press('Enter')
  await guide(page).getByRole('link', { name: 'Dispensaries near Denver, CO, open now' }).click()
  await expect(page).toHaveURL(/\/discover\?.*open=true/)
  await expect(page).toHaveURL(/type=dispensary/)
})

test('stops loading and keeps the checklist working if the welcome fails', async ({ page }) => {
  const fail = await hold(page, '**/api/ai/onboarding', (route) =>
    route.fulfill({ status: 503, json: { message: 'Not now', code: 'unavailable' } }),
  )
  await page.goto('/')
  await openGuide(page)
  await expect(guide(page).getByText('Loading...', { exact: true })).toBeAttached()
  await expect(step(page, 'Follow a business')).toBeVisible()
  fail()
  await expect(guide(page).getByText('Loading...', { exact: true })).toHaveCount(0)
  await expect(guide(page).getByText('Not now')).toHaveCount(0)
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(guide(page).getByRole('button', { name: 'Next Step' })).toBeVisible()
})

test('counts steps completed elsewhere, collapses on Escape, and returns from the account menu after dismissal', async ({ page }) => {
  const [business] = await findBusinesses(page, 'near=Boulder,+CO&limit=1')
  await page.request.put(`/api/businesses/${business?.id}/follow`)
  await page.goto('/')
  await openGuide(page)
  await expect(step(page, 'Follow a business, done')).toBeVisible()

  await guide(page).getByRole('button', { name: 'Next Step' }).focus()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: /^Guide, \d of \d steps done$/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(guide(page)).toBeFocused()

  await guide(page).getByRole('button', { name: 'Close the guide' }).click()
  await expect(toastWith(page, 'Guide closed')).toBeVisible()
  await expect.poll(async () => (await progressOf(page)).isDismissed).toBe(true)
  const asked = page.waitForResponse('**/api/ai/progress')
  await page.reload()
  await asked
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(guide(page)).toHaveCount(0)

  await page
    .getByRole('banner')
    .getByRole('button', { name: /account/i })
    .click()
  await page.getByRole('button', { name: 'Guide', exact: true }).click()
  await expect(guide(page)).toBeFocused()
})

test('shows the guide as a button above the navigation bar on a phone 320 pixels wide', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto('/')
  const small = page.getByRole('button', { name: /^Guide, / })
  const bar = page.getByRole('navigation', { name: 'Main' }).last()
  const bottomOf = async () => ((await small.boundingBox())?.y ?? 0) + ((await small.boundingBox())?.height ?? 0)
  await expect(small).toBeVisible()
  await expect.poll(async () => (await bottomOf()) - ((await bar.boundingBox())?.y ?? 0)).toBeLessThanOrEqual(0)
  await small.click()
  await expect(step(page, 'Follow a business')).toBeVisible()
  const box = await guide(page).boundingBox()
  expect(box?.x).toBeGreaterThanOrEqual(0)
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(320)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  await expectAccessible(page)
})
