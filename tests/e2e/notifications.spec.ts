import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { hold, written } from './app.ts'
import { toastWith } from './directory.ts'
import { bell, newBusiness, post, put, test } from './members.ts'
import { joinByCall, newPerson } from './people.ts'

const reader = { firstName: 'Rhea', lastName: 'Lindqvist' }
const writer = { firstName: 'Walt', lastName: 'Omondi' }

const items = (page: Page) => page.getByRole('main').getByRole('article')
const shapes = (page: Page, text: string) =>
  page.getByRole('main').getByRole('status').filter({ hasText: text }).locator('[aria-hidden="true"] > *')
const news = (title: string) => ({ title, content: 'The rows by the creek are dry.', postType: 'update' })

test('counts a new post on a follower’s bell without a reload, and clears it in every tab when read', async ({ newMember }) => {
  const [a, b] = [await newMember(reader), await newMember(writer)]
  const business = await newBusiness(b.page, 'Creekside Rows')
  await put(a.page, `/api/businesses/${business.id}/follow`)
  await a.page.goto('/favorites')
  await expect(bell(a.page, 0)).toBeVisible()
  const other = await a.page.context().newPage()
  await other.goto('/notifications')
  await expect(other.getByRole('heading', { name: 'No notifications yet' })).toBeVisible()

  await post(b.page, '/api/posts', news('Dry by Friday'))
  await expect(bell(a.page, 1)).toBeVisible()
  await expect(a.page).toHaveTitle(/^\(1\) Favorites/)
  await expect(items(other)).toHaveCount(1)
  await expect(items(other)).toContainText('Dry by Friday')
  await expectAccessible(other)

  await bell(a.page, 1).click()
  const panel = a.page.getByRole('dialog', { name: 'Notifications' })
  await expect(panel.getByRole('link', { name: 'Dry by Friday' })).toBeVisible()
  await expectAccessible(a.page)
  await panel.getByRole('link', { name: 'See all' }).click()
  await expect(a.page).toHaveURL('/notifications')
  await expect(panel).toBeHidden()
  await expect(a.page.getByText('1 unread', { exact: true }).first()).toBeVisible()
  await a.page.getByRole('button', { name: 'Mark as read' }).click()
  await expect(a.page.getByRole('button', { name: 'Mark as read' })).toBeHidden()
  await expect(bell(a.page, 0)).toBeVisible()
  await expect(bell(other, 0)).toBeVisible()
  await expect(other.getByRole('button', { name: 'Mark as read' })).toBeHidden()
  await expect(a.page).toHaveTitle(/^Notifications/)
})

/** A browser with web push that has permission, without a push service. */
async function stubPushes(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const key = 'test.push'
    const subscription = {
      get options() {
        return { applicationServerKey: Uint8Array.from((localStorage.getItem(key) ?? '').split(',').map(Number)).buffer }
      },
      toJSON: () => ({ endpoint: 'https://push.example.com/1', keys: { p256dh: 'p'.repeat(87), auth: 'a'.repeat(22) } }),
      unsubscribe: async () => localStorage.removeItem(key),
    }
    const pushManager = {
      getSubscription: async () => (localStorage.getItem(key) ? subscription : null),
      subscribe: async ({ applicationServerKey }: { applicationServerKey: Uint8Array }) => {
        const had = localStorage.getItem(key)
        if (had && had !== applicationServerKey.join()) throw new DOMException('Another key', 'InvalidStateError')
        localStorage.setItem(key, applicationServerKey.join())
        return subscription
      },
    }
    const registration = { pushManager }
    const container = {
      register: async () => registration,
      getRegistration: async () => registration,
      ready: Promise.resolve(registration),
    }
    Object.defineProperty(navigator, 'serviceWorker', { value: { ...container, addEventListener: () => undefined } })
    Object.defineProperty(window, 'Notification', { value: { permission: 'granted', requestPermission: async () => 'granted' } })
  })
}

test('shows browser notifications as off to the next person in a shared browser', async ({ newMember }) => {
  const { page } = await newMember(reader)
  await stubPushes(page)
  await page.goto('/notifications/preferences')
  await page.getByRole('button', { name: 'Turn on notifications' }).click()
  await expect(page.getByText('Browser notifications are on').first()).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Turn off' })).toBeVisible()
  // The browser no longer stores whose subscription it is, and the server no longer has it.
  await page.evaluate(() => localStorage.removeItem('push-account'))
  await post(page, '/api/push/subscription/removals', { endpoint: 'https://push.example.com/1' })
  const [renewal] = await Promise.all([page.waitForRequest((request) => request.url().endsWith('/api/push/subscription')), page.reload()])
  expect((await renewal.response())?.status()).toBe(204)
  await expect(page.getByRole('button', { name: 'Turn off' })).toBeVisible()
  await page.goto('/api/logout')
  await joinByCall(page, newPerson())
  await page.goto('/notifications/preferences')
  await page.getByRole('button', { name: 'Turn on notifications' }).click()
  await expect(page.getByRole('button', { name: 'Turn off' })).toBeVisible()
})

test('subscribes to browser notifications again after the server’s key has changed', async ({ newMember }) => {
  const { page } = await newMember(reader)
  await stubPushes(page)
  await page.goto('/notifications/preferences')
  await page.getByRole('button', { name: 'Turn on notifications' }).click()
  await expect(page.getByRole('button', { name: 'Turn off' })).toBeVisible()
  const subscribed = () => page.evaluate(() => localStorage.getItem('test.push'))
  const key = await subscribed()
  await page.evaluate(() => localStorage.setItem('test.push', '4,5,6'))
  await page.reload()
  await expect(page.getByRole('button', { name: 'Turn off' })).toBeVisible()
  expect(await subscribed()).toBe(key)
})

test('renews browser notifications at the next sign-in and when a person keeps their account', async ({ page }) => {
  const person = newPerson()
  await joinByCall(page, person)
  await stubPushes(page)
  await page.goto('/notifications/preferences')
  await page.getByRole('button', { name: 'Turn on notifications' }).click()
  await expect(page.getByRole('button', { name: 'Turn off' })).toBeVisible()
  await page.goto('/settings')
  expect((await page.request.get('/api/logout')).ok()).toBe(true)
  const renewal = () => page.waitForResponse((response) => response.url().endsWith('/api/push/subscription'))
  const signIn = async () => {
    await page.goto('/settings')
    await page.getByLabel('Email').fill(person.email)
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click()
  }
  const [renewed] = await Promise.all([renewal(), signIn()])
  expect(renewed.status()).toBe(204)
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()

  await post(page, '/api/user/deletion', { password: person.password, confirmation: 'delete my account' })
  await signIn()
  const [kept] = await Promise.all([renewal(), page.getByRole('button', { name: 'Keep my account' }).click()])
  expect(kept.status()).toBe(204)
})

/** Time to wait while the network is offline: a minute with `OFFLINE_SECONDS=60 npm test e2e`. */
const offlineMs = Number(process.env.OFFLINE_SECONDS ?? 0) * 1000

test('shows missed notifications once back online', async ({ newMember }) => {
  test.setTimeout(60_000 + offlineMs)
  const [a, b] = [await newMember(reader), await newMember(writer)]
  await put(a.page, `/api/people/${b.user.id}/follow`)
  await a.page.goto('/notifications')
  await expect(a.page.getByRole('heading', { name: 'No notifications yet' })).toBeVisible()
  await a.page.context().setOffline(true)
  await post(b.page, '/api/posts', { ...news('While you were away'), businessId: null })
  await a.page.waitForTimeout(offlineMs)
  await post(b.page, '/api/posts', { ...news('Nearly back'), businessId: null })
  // The server has both before the page is online again.
  await expect.poll(async () => (await (await a.page.request.get('/api/notifications')).json()).length).toBe(2)
  await expect(items(a.page)).toHaveCount(0)
  await a.page.context().setOffline(false)
  await expect(items(a.page)).toContainText(['Nearly back', 'While you were away'], { timeout: 20_000 })
  await expect(bell(a.page, 2)).toBeVisible()
})

test('shows a notification’s type and age, marks it as read when its link is opened, and marks all as read', async ({ newMember }) => {
  const [a, b] = [await newMember(reader), await newMember(writer)]
  await put(a.page, `/api/people/${b.user.id}/follow`)
  await put(b.page, `/api/people/${a.user.id}/follow`)
  await post(b.page, '/api/posts', { ...news('Nine days in'), businessId: null })
  await a.page.goto('/notifications')
  await expect(bell(a.page, 2)).toBeVisible()
  await expect(items(a.page)).toHaveCount(2)
  const followed = items(a.page).filter({ hasText: 'followed you' })
  await expect(followed).toContainText('Unread:')
  await expect(followed).toContainText('Follower')
  await expect(followed.locator('time')).toHaveText(/just now|second|minute/)
  await followed.getByRole('link', { name: 'View' }).click()
  await expect(a.page).toHaveURL(`/people/${b.user.id}`)
  await expect(a.page.getByRole('heading', { level: 1, name: b.name })).toBeVisible()
  await expect(bell(a.page, 1)).toBeVisible()
  await a.page.goBack()
  const allRead = written(a.page, /\/mark-all-read$/)
  await a.page.getByRole('button', { name: 'Mark All Read' }).click()
  await expect(bell(a.page, 0)).toBeVisible()
  await expect(a.page.getByRole('button', { name: 'Mark All Read' })).toBeHidden()
  await allRead
  await a.page.reload()
  await expect(items(a.page)).toHaveCount(2)
  await expect(a.page.getByText('Unread:')).toHaveCount(0)
})

test('shows a message and marks a notification as unread again when it can’t be marked as read', async ({ newMember }) => {
  const [a, b] = [await newMember(reader), await newMember(writer)]
  await put(b.page, `/api/people/${a.user.id}/follow`)
  await a.page.goto('/notifications')
  await expect(bell(a.page, 1)).toBeVisible()
  await a.page.route('**/api/notifications/*/read', (route) => route.abort())
  await a.page.getByRole('button', { name: 'Mark as read' }).click()
  await expect(toastWith(a.page, 'The notification couldn’t be marked as read.')).toBeVisible()
  await expect(bell(a.page, 1)).toBeVisible()
  await expect(a.page.getByRole('button', { name: 'Mark as read' })).toBeVisible()
})

test('shows six placeholders for notifications and three for hunts while they load, and error and empty states', async ({ newMember }) => {
  const { page, name } = await newMember(reader)
  await page.goto('/favorites')
  const answer = await hold(page, '**/api/notifications', (route) => route.abort())
  await bell(page, 0).click()
  await page.getByRole('link', { name: 'See all' }).click()
  await expect(shapes(page, 'Loading your notifications...')).toHaveCount(6)
  answer()
  await expect(page.getByRole('heading', { name: 'Your notifications couldn’t be loaded' })).toBeVisible()
  await page.unroute('**/api/notifications')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('heading', { name: 'No notifications yet' })).toBeVisible()
  await expect(page.getByText('News from businesses and people you follow, including harvests.')).toBeVisible()
  await expectAccessible(page)

  const releaseHunts = await hold(page, /\/api\/pheno-hunts(\?|$)/)
  await page.getByRole('button', { name: `Account: ${name}` }).click()
  await page.getByRole('link', { name: 'Pheno Hunter Pro' }).click()
  await expect(shapes(page, 'Loading hunts...')).toHaveCount(3)
  releaseHunts()
  await expect(page.getByRole('heading', { name: 'Start Your First Pheno Hunt' })).toBeVisible()
  await page.goBack()

  await page.setViewportSize({ width: 320, height: 640 })
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  await page.getByRole('main').getByRole('link', { name: 'Discover Businesses' }).click()
  await expect(page).toHaveURL('/discover')
})

test('keeps changed preferences through a failed save and a reload until they are saved', async ({ newMember }) => {
  const { page } = await newMember(reader)
  await page.goto('/notifications')
  await page.getByRole('link', { name: 'Preferences', exact: true }).click()
  const likes = page.getByRole('checkbox', { name: 'Likes, Email' })
  const save = page.getByRole('button', { name: 'Save preferences' })
  await expect(likes).not.toBeChecked()
  await expect(save).toBeDisabled()
  await likes.check()
  await page.getByRole('radio', { name: 'Weekly' }).check()
  await page.getByRole('checkbox', { name: 'Set quiet hours' }).check()
  await page.getByLabel('From', { exact: true }).fill('23:30')
  await page.getByLabel('Time zone').selectOption('America/Denver')
  await expectAccessible(page)

  await page.route('**/api/notification-preferences', (route) => (route.request().method() === 'PATCH' ? route.abort() : route.continue()))
  await save.click()
  await expect(page.getByText('Your preferences weren’t saved.')).toBeVisible()
  await page.unroute('**/api/notification-preferences')
  await page.reload()
  await expect(likes).toBeChecked()
  await expect(page.getByLabel('From', { exact: true })).toHaveValue('23:30')
  await save.click()
  await expect(toastWith(page, 'Preferences saved')).toBeVisible()
  await expect(save).toBeDisabled()

  await page.reload()
  await expect(likes).toBeChecked()
  await expect(page.getByRole('radio', { name: 'Weekly' })).toBeChecked()
  await expect(page.getByLabel('From', { exact: true })).toHaveValue('23:30')
  await expect(page.getByLabel('Until', { exact: true })).toHaveValue('07:00')
  await expect(page.getByLabel('Time zone')).toHaveValue('America/Denver')
  await page.getByRole('checkbox', { name: 'Email me' }).uncheck()
  await expect(likes).toBeDisabled()
  await page.getByRole('button', { name: 'Undo changes' }).click()
  await expect(likes).toBeEnabled()
  await page.setViewportSize({ width: 320, height: 640 })
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
})
