import { expect } from '@playwright/test'
import type { Business } from '#contracts/businesses.ts'
import { expectAccessible } from './accessibility.ts'
import { findBusinesses, toastWith } from './directory.ts'
import { newBusiness, put, test } from './members.ts'

test('moves focus to the hours form on a small phone and marks a day without hours as closed', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Odile', lastName: 'Marsh' })
  const business = await newBusiness(page, 'Hourglass Farm')
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto(`/business-dashboard?business=${business.slug}&tab=locations`)
  await page.getByRole('button', { name: `Add hours for ${business.name}` }).click()
  const shows = page.getByRole('checkbox', { name: 'Set opening hours' })
  await expect(shows).toBeFocused()
  await expect(shows).toBeInViewport()
  await expectAccessible(page)

  const cross = page.getByRole('button', { name: 'Remove 9 AM to 9 PM from Monday' })
  await expect(cross).toBeInViewport({ ratio: 1 })
  await cross.click()
  await page.getByRole('button', { name: 'Save location' }).click()
  await expect(page.getByText('Location saved').first()).toBeVisible()
  await expect(page.locator('dl > div').filter({ hasText: 'Monday' })).toContainText('Closed')
})

test('saves a time that was just typed when Enter submits the form', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Odile', lastName: 'Marsh' })
  const business = await newBusiness(page, 'Enterprise Farm')
  await page.goto(`/business-dashboard?business=${business.slug}&tab=locations`)
  await page.getByRole('button', { name: `Add hours for ${business.name}` }).click()
  await page.getByLabel('Monday opens').fill('10:30')
  await page.keyboard.press('Enter')
  await expect(toastWith(page, 'Location saved')).toBeVisible()
  await expect(page.locator('dl > div').filter({ hasText: 'Monday' })).toContainText('10:30 AM')
})

test('undoes a copy of hours to all days but keeps later edits', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Odile', lastName: 'Marsh' })
  const business = await newBusiness(page, 'Sundial Farm')
  await page.goto(`/business-dashboard?business=${business.slug}&tab=locations`)
  await page.getByRole('button', { name: `Add hours for ${business.name}` }).click()
  await page.getByRole('button', { name: 'Remove 9 AM to 9 PM from Sunday' }).click()
  await page.getByRole('button', { name: 'Copy to all days from Tuesday' }).click()
  await page.getByRole('button', { name: 'Remove 9 AM to 9 PM from Monday' }).click()
  // The open dialog doesn't hide its toasts from the keyboard or assistive technology.
  const toasts = page.getByRole('region', { name: 'Notifications (F8)' })
  await expect(toasts.getByRole('button', { name: 'Undo', exact: true })).toBeVisible()
  await page.keyboard.press('F8')
  await expect(toasts.getByRole('list')).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(toasts.getByRole('button', { name: 'Undo', exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeFocused()
  await expect(page.getByRole('button', { name: 'Set hours for Sunday' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Set hours for Monday' })).toBeVisible()
})

test('accepts a typed date for a special day, and keeps the pin of a planned move when its day changes', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Odile', lastName: 'Marsh' })
  const business = await newBusiness(page, 'Lantern Shop', 'dispensary')
  await page.goto(`/business-dashboard?business=${business.slug}&tab=locations`)
  await page.getByRole('button', { name: `Add hours for ${business.name}` }).click()
  await page.getByRole('button', { name: 'Another day' }).click()
  const day = page.getByRole('textbox', { name: 'Day', exact: true })
  await day.focus()
  const next = new Date().getFullYear() + 1
  await page.keyboard.type(`1224${next}`)
  await expect(day).toHaveValue(`${next}-12-24`)
  await page.getByRole('button', { name: 'Save location' }).click()
  await expect(toastWith(page, 'Location saved')).toBeVisible()

  const pin = { latitude: 40.0176, longitude: -105.2797 }
  const move = { location: 'Boulder, CO', address: '900 Pearl St', pin }
  await put(page, `/api/businesses/${business.id}/move`, { ...move, movesOn: dayAhead(20) })
  await page.goto(`/business-dashboard/profile?business=${business.slug}`)
  await page.getByRole('region', { name: 'Move' }).getByRole('button', { name: 'Change' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change the move' })
  await expect(dialog).toContainText('40.01760, -105.27970')
  await dialog.getByLabel('First day at the new address').fill(dayAhead(30))
  await dialog.getByRole('button', { name: 'Save move' }).click()
  await expect(toastWith(page, 'Move planned')).toBeVisible()
  const saved = (await (await page.request.get(`/api/businesses/${business.id}`)).json()) as Business
  expect(saved.move).toEqual({ ...move, movesOn: dayAhead(30) })
})

const dayAhead = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

test('shows which shop opens next if none is open', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Otis', lastName: 'Marsh' })
  const [shop] = await findBusinesses(page, 'q=Lanternfold&type=dispensary')
  const opening = { isOpen: false, changesAt: new Date(Date.now() + 3 * 3_600_000).toISOString(), note: null }
  await page.route(/\/api\/businesses\?.*open=true/, (route) => route.fulfill({ json: [] }))
  await page.route(/\/api\/businesses\/map\?/, async (route) => {
    const response = await route.fetch()
    const found = await response.json()
    const isOpen = route.request().url().includes('open=true')
    const pins = isOpen
      ? []
      : [{ ...shop!.pin, id: shop!.id, slug: shop!.slug, name: shop!.name, type: shop!.type, openNow: opening, count: 1 }]
    await route.fulfill({ response, json: { ...found, total: pins.length, pins } })
  })
  await page.route(new RegExp(`/api/businesses/${shop!.slug}$`), async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), openNow: opening } })
  })
  await page.goto('/discover')
  await page.getByRole('button', { name: 'Open now' }).click()
  await expect(page.getByRole('heading', { name: 'No businesses found' })).toBeVisible()
  await expect(page.getByText(/is known to be open now/)).toHaveCount(1)
  await expect(page.getByText(/Next to open: Lanternfold.*(AM|PM|noon|midnight)\./)).toBeVisible()
  await expectAccessible(page, ['light'])
  await page.getByRole('main').getByRole('link', { name: shop!.name }).click()
  await expect(page).toHaveURL(`/business/${shop!.slug}`)
})

test('doesn’t overwrite a location that a teammate edited while the form was open, and loads it', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Odile', lastName: 'Marsh' })
  const business = await newBusiness(page, 'Tandem Shop', 'dispensary')
  await page.goto(`/business-dashboard?business=${business.slug}&tab=locations`)
  await page.getByRole('button', { name: `Edit ${business.name}` }).click()
  const form = page.getByRole('dialog', { name: business.name })
  const phone = form.getByLabel('Phone')
  await phone.fill('(303) 555-0111')
  const details = { name: business.name, location: 'Denver, CO', timeZone: 'America/Denver' }
  await put(page, `/api/businesses/${business.id}/locations/${business.id}`, { ...details, phone: '(303) 555-0122' })
  await form.getByRole('button', { name: 'Save location' }).click()
  await expect(form.getByText('This location was edited in the meantime.')).toBeVisible()
  await form.getByRole('button', { name: 'Load the latest version' }).click()
  await expect(phone).toHaveValue('(303) 555-0122')
  await phone.fill('(303) 555-0133')
  await form.getByRole('button', { name: 'Save location' }).click()
  await expect(toastWith(page, 'Location saved')).toBeVisible()
  await expect(page.getByText('(303) 555-0133')).toBeVisible()
})
