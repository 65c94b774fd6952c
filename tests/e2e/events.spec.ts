import { expect, type Page } from '@playwright/test'
import type { Business, BusinessSummary } from '#contracts/businesses.ts'
import type { BusinessEvent } from '#contracts/events.ts'
import { expectAccessible } from './accessibility.ts'
import { written } from './app.ts'
import { toastWith } from './directory.ts'
import { newBusiness, post, put, test } from './members.ts'

/** The demo's owner, whose shops have the verified license that events require. */
const owner = { email: 'marlow@demo.sungrove.example', password: 'a terrace in the morning sun' }

const mark = () => Math.random().toString(36).slice(2, 8)

async function quietwater(page: Page): Promise<BusinessSummary> {
  const [shop] = (await (await page.request.get('/api/businesses?q=Quietwater')).json()) as BusinessSummary[]
  return shop as BusinessSummary
}

/** A local time this many days from now, such as "2027-03-20T18:00". */
const inDays = (days: number, clock: string) => `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)}T${clock}`

const detailsAt = (shop: { id: string }) => ({
  ...{ startsLocal: inDays(8, '18:00'), endsLocal: inDays(8, '20:00'), timeZone: 'America/Denver' },
  locationId: shop.id,
})

async function publish(page: Page, shop: { id: string }, given: object): Promise<BusinessEvent> {
  const answer = await page.request.post(`/api/businesses/${shop.id}/events`, { data: { ...detailsAt(shop), ...given } })
  expect(answer.status(), await answer.text()).toBe(201)
  return (await answer.json()) as BusinessEvent
}

async function openEvent(page: Page, title: string): Promise<void> {
  await page.getByRole('region', { name: 'Upcoming events' }).getByRole('link', { name: title }).click()
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
}

test('publishes an event, accepts an RSVP, offers a calendar file, and cancels the event', async ({ newMember, page }) => {
  await post(page, '/api/login', owner)
  const shop = await quietwater(page)
  const title = `Rosin evening ${mark()}`
  await page.goto(`/business-dashboard/events?business=${shop.slug}`)
  await page.getByRole('button', { name: 'New event' }).click()
  const form = page.getByRole('dialog', { name: 'New event' })
  await expect(form.getByLabel('Title')).toBeFocused()
  await form.getByRole('button', { name: 'Publish event' }).click()
  await expect(form.getByText('Title is required')).toBeVisible()
  await expect(form.getByText('Choose a date and time')).toHaveCount(2)
  await expect(form.getByLabel('Title')).toBeFocused()

  await form.getByLabel('Title').fill(title)
  await form.getByLabel('Description').fill('We press three lots and taste the air above each.')
  await form.getByLabel('Starts').fill(inDays(6, '18:00'))
  await expect(form.getByLabel('Ends')).toHaveValue(inDays(6, '20:00'))
  await form.getByLabel('Venue').fill('The room above the shop')
  await form.getByLabel('Seats').fill('2')
  await form.getByRole('radio', { name: 'Subscribers' }).check()
  await expectAccessible(page)
  await page.reload()
  await page.getByRole('button', { name: 'New event' }).click()
  await expect(form.getByLabel('Title')).toHaveValue(title)
  await form.getByRole('button', { name: 'Publish event' }).click()
  await expect(toastWith(page, 'Event published')).toBeVisible()
  const row = page.getByRole('listitem').filter({ hasText: title })
  await expect(row).toContainText('Subscribers')
  await expectAccessible(page)

  const ann = await newMember({ firstName: 'Ann', lastName: 'Archer' })
  const { page: hers } = ann
  await hers.goto(`/business/${shop.slug}`)
  const events = hers.getByRole('region', { name: 'Upcoming events' })
  await expect(events.getByRole('listitem').filter({ hasText: title })).toContainText('For subscribers')
  await openEvent(hers, title)
  await expect(hers.getByText(`Subscribe to ${shop.name} to see what it’s about`)).toBeVisible()
  await expect(hers.getByRole('button', { name: 'RSVP' })).toHaveCount(0)
  await expectAccessible(hers)
  await post(hers, '/api/subscriptions', { businessId: shop.id })
  await hers.reload()
  await expect(hers.getByText('The room above the shop')).toBeVisible()
  await expect(hers.getByRole('link', { name: 'Directions' })).toHaveAttribute('href', /Stillwater/)
  await expect(hers.getByText('0 going · 2 seats left')).toBeVisible()
  const saved = written(hers, /\/rsvp$/)
  await hers.getByRole('button', { name: 'RSVP', exact: true }).click()
  await expect(hers.getByText('You’re going. We’ll remind you before it begins.')).toBeVisible()
  await expect(hers.getByText('1 going · 1 seat left')).toBeVisible()
  await saved
  await expectAccessible(hers)
  const download = hers.waitForEvent('download')
  await hers.getByRole('link', { name: 'Add to calendar' }).click()
  expect((await download).suggestedFilename()).toMatch(/^event-\d{4}-\d\d-\d\d\.ics$/)
  await hers.goto('/')
  await expect(hers.getByRole('region', { name: 'Events' }).getByRole('listitem').filter({ hasText: title })).toContainText('You’re going')

  await page.reload()
  await row.getByRole('button', { name: `Who’s going ${title}` }).click()
  await expect(page.getByRole('dialog', { name: 'Who’s going' }).getByRole('link', { name: ann.name })).toBeVisible()
  await page.keyboard.press('Escape')
  await row.getByRole('button', { name: `Cancel event ${title}` }).click()
  const cancel = page.getByRole('dialog', { name: `Cancel “${title}”?` })
  await expect(cancel).toContainText('1 person is going and will be notified.')
  await cancel.getByLabel('Note').fill('The press is broken.')
  await expectAccessible(page, ['light'])
  await cancel.getByRole('button', { name: 'Cancel event' }).click()
  await expect(toastWith(page, 'Event canceled')).toBeVisible()
  await expect(row).toContainText('Canceled')
  await hers.goto(`/business/${shop.slug}`)
  await openEvent(hers, title)
  await expect(hers.getByText('This event is canceled.')).toBeVisible()
  await expect(hers.getByText('The press is broken.')).toBeVisible()
  await expect(hers.getByRole('button', { name: /RSVP/ })).toHaveCount(0)
  await hers.goto('/events/cut-off')
  await expect(hers.getByRole('heading', { level: 1 })).toHaveText('Event not found')
  await hers.getByRole('main').getByRole('link', { name: 'See events' }).click()
  await expect(hers).toHaveURL(/^[^?]*\/events/)
})

test('shows a VIP event’s title and date to others and unlocks it with the VIP plan', async ({ newMember, page }) => {
  await post(page, '/api/login', owner)
  const event = await publish(page, await quietwater(page), {
    title: `Cellar walk ${mark()}`,
    description: 'Six people, one lamp, the oldest jars.',
    audience: 'vip',
  })
  const { page: his } = await newMember({ firstName: 'Ben', lastName: 'Birch' })
  await his.goto(`/events/${event.id}`)
  await expect(his.getByRole('heading', { level: 1, name: event.title })).toBeVisible()
  await expect(his.getByText('For VIP members')).toBeVisible()
  await expect(his.getByText('the oldest jars')).toHaveCount(0)
  await his.getByRole('link', { name: 'See the VIP plan' }).click()
  await his.getByRole('button', { name: 'Select VIP' }).click()
  await his.getByRole('dialog').getByRole('button', { name: 'Subscribe' }).click()
  await his.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await expect(toastWith(his, 'Subscription Activated!')).toBeVisible()
  await his.goto(`/events/${event.id}`)
  await expect(his.getByText('Six people, one lamp, the oldest jars.')).toBeVisible()
  await his.getByRole('button', { name: 'RSVP', exact: true }).click()
  await expect(his.getByText('You’re going. We’ll remind you before it begins.')).toBeVisible()
})

test('lets people cancel their RSVP after their subscription ended', async ({ newMember, page }) => {
  await post(page, '/api/login', owner)
  const shop = await quietwater(page)
  const event = await publish(page, shop, { title: `Seed swap ${mark()}`, audience: 'subscribers' })
  const { page: hers } = await newMember({ firstName: 'Hana', lastName: 'Holt' })
  await post(hers, '/api/subscriptions', { businessId: shop.id })
  await put(hers, `/api/events/${event.id}/rsvp`)
  const ended = await hers.request.delete(`/api/subscriptions/${shop.id}`)
  expect(ended.ok(), await ended.text()).toBe(true)
  await hers.goto(`/events/${event.id}`)
  await expect(hers.getByText(`Subscribe to ${shop.name} to see what it’s about`)).toBeVisible()
  await expect(hers.getByRole('link', { name: 'Add to calendar' })).toHaveCount(0)
  await expectAccessible(hers)
  await hers.getByRole('button', { name: 'Cancel RSVP' }).click()
  await expect(hers.getByText('Your RSVP is canceled.')).toBeVisible()
  await expect(hers.getByRole('button', { name: /RSVP/ })).toHaveCount(0)
})

test('shows that an event is full and rolls back a late RSVP with a message', async ({ newMember, page }) => {
  await post(page, '/api/login', owner)
  const event = await publish(page, await quietwater(page), { title: `Two chairs ${mark()}`, capacity: 1 })
  const [first, second] = [
    await newMember({ firstName: 'Cleo', lastName: 'Cane' }),
    await newMember({ firstName: 'Dora', lastName: 'Dell' }),
  ]
  await second.page.goto(`/events/${event.id}`)
  await expect(second.page.getByText('0 going · 1 seat left')).toBeVisible()
  await put(first.page, `/api/events/${event.id}/rsvp`)
  await second.page.getByRole('button', { name: 'RSVP', exact: true }).click()
  await expect(toastWith(second.page, 'Your RSVP wasn’t saved')).toContainText('This event is full.')
  await expect(second.page.getByText('1 going · Full')).toBeVisible()
  await expect(second.page.getByText('All seats are taken.')).toBeVisible()
  await expect(second.page.getByRole('button', { name: 'RSVP', exact: true })).toHaveCount(0)
})

test('doesn’t overwrite an event that a teammate edited while the form was open, and loads it', async ({ page }) => {
  await post(page, '/api/login', owner)
  const shop = await quietwater(page)
  const title = `Rosin evening ${mark()}`
  const { id } = await publish(page, shop, { title })
  await page.goto(`/business-dashboard/events?business=${shop.slug}`)
  await page.getByRole('button', { name: `Edit ${title}` }).click()
  const form = page.getByRole('dialog', { name: 'Edit event' })
  const venue = form.getByLabel('Venue')
  await venue.fill('The cellar')
  await put(page, `/api/events/${id}`, { ...detailsAt(shop), title, venue: 'The attic' })
  await form.getByRole('button', { name: 'Save event' }).click()
  const load = form.getByRole('button', { name: 'Load the latest version' })
  await expect(form.getByText('Good to know')).toBeAttached()
  await expect(load).toBeInViewport({ ratio: 1 })
  await load.click()
  await expect(venue).toHaveValue('The attic')
  await venue.fill('The cellar')
  await form.getByRole('button', { name: 'Save event' }).click()
  await expect(toastWith(page, 'Event saved')).toBeVisible()
})

test('shows an unlicensed business what an event requires before it fills in the form', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Elin', lastName: 'Earl' })
  const business: Business = await newBusiness(page, 'Bare Farm')
  await page.goto(`/business-dashboard/events?business=${business.slug}`)
  await expect(page.getByText('Events count as advertising, so they require a verified license.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'New event' })).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Verify license' }).click()
  await expect(page).toHaveURL(/\/business-dashboard\/license/)
})

test('finds events near the person’s city, farther away, and everywhere', async ({ newMember, page }) => {
  await post(page, '/api/login', owner)
  const shop = await quietwater(page)
  const [near, far] = [`Rosin evening ${mark()}`, `Canyon walk ${mark()}`]
  await publish(page, shop, { title: near, locationId: null, city: 'Denver, CO', venue: 'Creek Hall' })
  await publish(page, shop, { title: far, locationId: null, city: 'Grand Junction, CO', venue: 'Trailhead' })
  const { page: hers } = await newMember({ firstName: 'Gwen', lastName: 'Gale' })
  const event = (title: string) => hers.getByRole('list', { name: 'Events' }).getByRole('link', { name: title })
  await hers.goto('/')
  await hers.getByRole('region', { name: 'Events' }).getByRole('link', { name: 'All near Denver' }).click()
  await expect(hers.getByRole('heading', { level: 1, name: 'Events near Denver, CO' })).toBeVisible()
  await expect(event(near)).toBeVisible()
  await expect(event(far)).toHaveCount(0)
  await expectAccessible(hers)

  await hers.getByRole('button', { name: /Within 50 mi/ }).click()
  await hers.getByRole('menuitemradio', { name: 'Within 250 miles' }).click()
  await expect(event(far)).toBeVisible()
  await expect(hers).toHaveURL(/radius=250/)
  await hers.getByRole('button', { name: 'Everywhere' }).click()
  await expect(hers.getByRole('heading', { level: 1, name: 'Upcoming events' })).toBeVisible()
  await expect(event(far)).toBeVisible()

  const place = hers.getByLabel('Place', { exact: true })
  await place.fill('Fargo, ND')
  await place.press('Enter')
  await expect(hers.getByText('Nothing is planned within 50 miles.')).toBeVisible()
  await expectAccessible(hers, ['light'])
  await place.fill('Atlantis beneath the sea')
  await place.press('Enter')
  await expect(hers.getByRole('heading', { name: 'Place not found' })).toBeVisible()
  await hers.getByRole('button', { name: 'Near Denver, CO' }).click()
  await event(near).click()
  await expect(hers.getByRole('heading', { level: 1, name: near })).toBeVisible()
  await hers.goBack()
  await expect(hers.getByRole('heading', { level: 1, name: 'Events near Denver, CO' })).toBeVisible()
})

test('reports a missing event and events that fail to load', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Finn', lastName: 'Fern' })
  await page.goto('/events/0190a1b2-0000-7000-8000-000000000000')
  await expect(page.getByRole('heading', { name: 'Event not found' })).toBeVisible()
  await expectAccessible(page)
  await page.route(/\/api\/events\?/, (route) =>
    route.fulfill({ status: 503, json: { message: 'Try again in a moment.', code: 'unavailable' } }),
  )
  // Navigates within the app, because a loaded page comes with its initial responses.
  await page.goto('/favorites')
  await page.getByRole('banner').getByRole('link', { name: 'Home' }).click()
  const card = page.getByRole('region', { name: 'Events' })
  await expect(card.getByRole('alert')).toContainText('Events couldn’t be loaded.')
  await page.unroute(/\/api\/events\?/)
  await card.getByRole('button', { name: 'Retry' }).click()
  await expect(card).toContainText('Events from businesses you follow appear here.')
})
