import { expect, test } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { openAsAdmin } from './admins.ts'
import { newBusiness, post } from './members.ts'
import { joinByCall, newPerson } from './people.ts'

/** The demo's owner, whose businesses have two months of visits, rolled up when the demo was loaded. */
const owner = { email: 'marlow@demo.sungrove.example', password: 'a terrace in the morning sun' }

test('counts a visit and shows a page’s visits on the dashboard', async ({ page, browser }) => {
  await post(page, '/api/login', owner)
  const mine = await (await page.request.get('/api/businesses/mine')).json()
  const { slug } = mine.find(({ name }: { name: string }) => name.startsWith('Lanternfold'))

  const visitor = await (await browser.newContext()).newPage()
  await post(visitor, '/api/login', { ...owner, email: 'wren@demo.sungrove.example' })
  const counted = visitor.waitForResponse((response) => response.url().endsWith('/visits'))
  await visitor.goto(`/business/${slug}`)
  const sent = await counted
  expect(sent.status()).toBe(204)
  expect(sent.request().postDataJSON()).toMatchObject({ source: 'other', visits: expect.arrayContaining([{ kind: 'page' }]) })
  await visitor.context().close()

  await page.goto(`/business-dashboard?business=${slug}`)
  await expect(page.getByText('Business Tools Active')).toBeVisible()
  await expect(page.getByRole('tab', { name: 'Overview' })).toHaveAttribute('aria-selected', 'true')
  const plot = page.getByRole('slider', { name: 'Page views by day' })
  await plot.focus()
  await page.keyboard.press('Home')
  await expect(plot).toHaveAttribute('aria-valuetext', /^\w+, \w+ \d+: \d+$/)
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Table' }).click()
  await expect(page.getByRole('region', { name: 'Visits as a table' }).getByRole('row')).toHaveCount(29)
  await page.getByRole('combobox', { name: 'Period' }).selectOption('90d')
  await page.getByRole('combobox', { name: 'Group by' }).selectOption('month')
  await expect(page).toHaveURL(/range=90d&by=month|by=month&range=90d/)
  await expect(page.getByRole('columnheader', { name: 'Month' })).toBeVisible()
})

test('shows a new owner the first steps on a phone, and opens the plan from Upgrade', async ({ page }) => {
  await joinByCall(page, newPerson())
  const { slug } = await newBusiness(page, 'Small Terrace')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/business-dashboard?business=${slug}`)
  const steps = page.getByRole('region', { name: 'What to do next' })
  await expect(steps).toBeVisible()
  const visits = await page.getByRole('region', { name: 'Visits' }).boundingBox()
  expect((await steps.boundingBox())?.y).toBeLessThan(visits?.y ?? 0)
  await page.getByRole('button', { name: 'Upgrade' }).click()
  await expect(page.getByRole('dialog').getByText('$75').first()).toBeInViewport()
})

test('lets the owner fix a typo in the name until someone has subscribed, and an admin afterward', async ({ page, browser }) => {
  await joinByCall(page, newPerson())
  const { id, slug, name } = await newBusiness(page, 'Small Terace')
  const right = name.replace('Terace', 'Terrace')
  await page.goto(`/business-dashboard/profile?business=${slug}`)
  const field = page.getByLabel('Business Name')
  await field.fill('')
  await page.getByRole('button', { name: 'Save page' }).click()
  await expect(page.getByText('Business name is required')).toBeVisible()
  await field.fill(right)
  await page.getByRole('button', { name: 'Save page' }).click()
  await expect(page.getByText('Your changes are live.', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await page.goto(`/business/${slug}`)
  await expect(page.getByRole('heading', { level: 1, name: right })).toBeVisible()

  const other = await (await browser.newContext()).newPage()
  await joinByCall(other, newPerson())
  await post(other, '/api/subscriptions', { businessId: id })
  await page.goto(`/business-dashboard/profile?business=${slug}`)
  await expect(page.getByText('To change the name or business type,')).toBeVisible()
  await expect(field).toHaveCount(0)

  const admin = await openAsAdmin(browser)
  await admin.page.goto(`/admin?tab=businesses&q=${id}`)
  await admin.page.getByRole('button', { name: 'Correct name' }).click()
  const dialog = admin.page.getByRole('dialog', { name: `Correct the name of ${right}` })
  await expect(dialog).toBeVisible()
  await expectAccessible(admin.page)
  await dialog.getByLabel('Business Name').fill('')
  await dialog.getByRole('button', { name: 'Correct name' }).click()
  await expect(dialog.getByText('Business name is required')).toBeVisible()
  await dialog.getByLabel('Business Name').fill(`${right} Farm`)
  await dialog.getByLabel('Business Name').press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(admin.page.getByRole('link', { name: `${right} Farm` })).toBeVisible()
  await other.goto(`/business/${slug}`)
  await expect(other.getByRole('heading', { level: 1, name: `${right} Farm` })).toBeVisible()
  for (const each of [other, admin.page]) await each.context().close()
})
