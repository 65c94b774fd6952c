import { expect, type Page, type Route } from '@playwright/test'
import sharp from 'sharp'
import { expectAccessible } from './accessibility.ts'
import { hold, written } from './app.ts'
import { toastWith } from './directory.ts'
import { test } from './members.ts'

const ann = { firstName: 'Ann', lastName: 'Gardener' }
const ben = { firstName: 'Ben', lastName: 'Miller' }

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const list = (page: Page) => page.getByRole('navigation', { name: 'Sections' })

async function open(page: Page, anchor = '') {
  await page.goto(`/settings${anchor}`)
  await isThere(page)
}

async function isThere(page: Page) {
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
  await expect(section(page, 'Notifications').getByRole('switch').first()).toBeVisible()
  // Sections of other features load separately.
  await expect(page.getByRole('main').getByText(/^Loading/)).toHaveCount(0)
}

const portrait = async () => ({
  name: 'me.png',
  mimeType: 'image/png',
  buffer: await sharp({ create: { width: 600, height: 400, channels: 3, background: '#3a7d44' } })
    .png()
    .toBuffer(),
})

test('opens the settings from the menu, and links to each section in order', async ({ newMember }) => {
  const { page, name, user } = await newMember(ann)
  await page.goto('/')
  await page.getByRole('button', { name: `Account: ${name}` }).click()
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(page).toHaveURL('/settings')
  await isThere(page)
  await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText([
    'Profile Information',
    'Account Information',
    'Privacy & Visibility',
    'Notifications',
    'Units and region',
    'Sign-in and security',
    'Your data',
    'Install the app',
    'Support & Help',
  ])
  await expectAccessible(page)

  const account = section(page, 'Account Information')
  await expect(account).toContainText('Consumer')
  await expect(account).toContainText(`Member since${longDate(user.createdAt)}`)
  await expect(account.getByRole('link', { name: 'Contact Support' })).toHaveAttribute('href', 'mailto:support@sungrove.example')
  await expect(account.getByText('Subscription plan')).toHaveCount(0)
  const support = section(page, 'Support & Help')
  await expect(support.getByRole('link', { name: 'Email Support' })).toHaveAttribute('href', 'mailto:support@sungrove.example')
  await expect(support.getByRole('link', { name: /^Help Center/ })).toHaveAttribute('target', '_blank')

  const current = () => list(page).locator('[aria-current]')
  await expect(current()).toHaveText(['Profile Information'])
  await list(page).getByRole('link', { name: 'Your data' }).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/settings#data')
  await expect(current()).toHaveText(['Your data'])
  await expect(section(page, 'Your data')).toBeInViewport()
  await expect(page.getByRole('heading', { name: 'Your data', exact: true })).toBeFocused()
  await page.goBack()
  await expect(current()).toHaveText(['Profile Information'])

  // On a phone, opens an address that names a section far down.
  await page.setViewportSize({ width: 320, height: 640 })
  await open(page, '#sign-in')
  await expect(current()).toHaveText(['Sign-in and security'])
  await expect(current()).toBeInViewport({ ratio: 1 })
  await expect(page.getByRole('heading', { name: 'Sign-in and security', exact: true })).toBeInViewport()
  await expect(page.getByRole('heading', { name: 'Sign-in and security', exact: true })).toBeFocused()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
})

const longDate = (date: string) =>
  new Intl.DateTimeFormat('en-US', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  }).format(new Date(date))

test('saves the profile with its picture and shows it everywhere immediately', async ({ newMember }) => {
  const [{ page, user }, other] = [await newMember(ann), await newMember(ben)]
  await page.goto('/profile')
  await page.getByRole('link', { name: 'Edit Profile' }).click()
  await expect(page).toHaveURL('/settings#profile')
  await isThere(page)
  const form = page.getByRole('form', { name: 'Profile Information' })
  await expect(form.getByLabel('Email')).toHaveAttribute('readonly')
  await expect(form.getByLabel('Email')).toHaveValue(user.email)
  await expect(form.getByLabel('Email')).toHaveAccessibleDescription('Contact support to change your email address')

  await form.getByLabel('First Name').fill('')
  await form.getByRole('button', { name: 'Save Profile' }).click()
  await expect(form.getByText('First name is required')).toBeVisible()
  await expect(form.getByLabel('First Name')).toBeFocused()

  await form.getByLabel('First Name').fill('Annabel')
  await form.getByLabel('Bio').fill('I like terraces.')
  await form.getByLabel('Edibles').check({ force: true })
  await form.getByLabel('Picture file').setInputFiles(await portrait())
  await expect(form.getByRole('button', { name: 'Change picture' })).toBeVisible()
  await expect(form.getByText('Unsaved changes')).toBeVisible()
  await page.reload()
  await expect(form.getByLabel('First Name')).toHaveValue('Annabel')
  await expect(form.getByRole('button', { name: 'Change picture' })).toBeVisible()
  await expectAccessible(page)

  const release = await hold(page, '**/api/user/settings/profile')
  await form.getByRole('button', { name: 'Save Profile' }).click()
  await expect(form.getByRole('button', { name: 'Saving...' })).toBeVisible()
  release()
  await expect(toastWith(page, 'Profile updated successfully!')).toBeVisible()
  await expect(form.getByRole('button', { name: 'Save Profile' })).toBeFocused()
  await expect(form.getByText('Unsaved changes')).toHaveCount(0)
  const avatar = page.getByRole('banner').getByRole('button', { name: 'Account: Annabel Gardener' })
  await expect(avatar.locator('img')).toHaveAttribute('src', /^\/media\//)
  await other.page.goto(`/people/${user.id}`)
  await expect(other.page.getByRole('heading', { level: 1, name: 'Annabel Gardener' })).toBeVisible()
  await expect(other.page.getByRole('main')).toContainText('I like terraces.')
  await expect(other.page.getByRole('region', { name: 'Annabel Gardener' }).locator('img')).toHaveJSProperty('complete', true)

  await form.getByRole('button', { name: 'Remove' }).click()
  await expect(form.getByRole('button', { name: 'Add a picture' })).toBeFocused()
  await form.getByRole('button', { name: 'Save Profile' }).click()
  await expect(avatar.locator('img')).toHaveCount(0)

  // The refusal of text that can't be public appears next to its field.
  await form.getByLabel('Bio').fill('My oil cures cancer')
  await form.getByRole('button', { name: 'Save Profile' }).click()
  await expect(form.getByLabel('Bio')).toBeFocused()
  await expect(form.getByLabel('Bio')).toHaveAccessibleDescription(/health claim/)
  // Nothing that appears later may move the button while it is pressed.
  await form.getByRole('button', { name: 'Undo changes' }).click({ delay: 100 })
  await expect(form.getByLabel('Bio')).toHaveValue('I like terraces.')
})

test('saves the privacy and notification switches when they change, and rolls back failures', async ({ newMember }) => {
  const [{ page, user, name }, other] = [await newMember(ann, { bio: 'Hello.' }), await newMember(ben)]
  const seen = other.page.getByRole('main')
  expect(await (await other.page.request.get(`/api/people/${user.id}`)).text()).toContain('Denver, CO')
  await open(page, '#privacy')
  const privacy = section(page, 'Privacy & Visibility')
  const isPublic = privacy.getByRole('switch', { name: 'Public Profile' })
  const location = privacy.getByRole('switch', { name: 'Location Sharing' })
  const marks = privacy.getByRole('switch', { name: 'Read receipts and typing' })
  await expect(isPublic).toBeChecked()

  await location.focus()
  const saved = written(page, /\/settings\/privacy$/)
  await page.keyboard.press('Space')
  await saved
  await expect(location).not.toBeChecked()
  await other.page.goto(`/people/${user.id}`)
  await expect(seen).toContainText('Hello.')
  await expect(seen).not.toContainText('Denver, CO')

  const hidden = written(page, /\/settings\/privacy$/)
  await isPublic.click()
  await hidden
  await other.page.reload()
  await expect(seen).toContainText('This profile is private.')
  await expect(other.page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(seen).not.toContainText('Hello.')
  const kept = written(page, /\/message-settings$/)
  await marks.uncheck()
  await kept
  await expect(privacy.getByRole('link', { name: 'Blocked people and businesses' })).toHaveAttribute('href', '/blocked')

  const part = section(page, 'Notifications')
  const products = part.getByRole('switch', { name: 'Product Updates' })
  await expect(part.getByRole('switch', { name: 'Email Notifications' })).toBeChecked()
  await expect(part.getByRole('switch', { name: 'New Post Alerts' })).toBeChecked()
  await expect(products).not.toBeChecked()
  const chosen = written(page, /\/notification-preferences$/)
  await products.check()
  await chosen
  await part.getByRole('link', { name: 'All notification preferences' }).click()
  const box = page.getByRole('checkbox', { name: 'Products, Browser' })
  await expect(box).toBeChecked()
  await box.uncheck()
  await page.getByRole('button', { name: 'Save preferences' }).click()
  await expect(toastWith(page, 'Preferences saved')).toBeVisible()
  await page.goBack()
  await expect(products).toBeChecked()
  await expect(part).toContainText('Only on the site and by email.')

  await page.reload()
  await expect(isPublic).not.toBeChecked()
  await expect(location).not.toBeChecked()
  await expect(marks).not.toBeChecked()
  await expect(products).toBeChecked()
  for (const address of ['**/api/user/settings/privacy', '**/api/notification-preferences']) {
    await page.route(address, (route) =>
      route.request().method() === 'GET'
        ? route.continue()
        : route.fulfill({ status: 503, json: { message: 'Try again soon.', code: 'unavailable' } }),
    )
  }
  const toast = toastWith(page, 'Your settings weren’t saved')
  await isPublic.click()
  await expect(toast).toContainText('Try again soon.')
  await expect(isPublic).not.toBeChecked()
  await toast.getByRole('button', { name: 'Dismiss' }).click()
  await expect(toast).toHaveCount(0)
  await products.click()
  await expect(toast).toBeVisible()
  await expect(products).toBeChecked()
  await expect(part).toContainText('Only on the site and by email.')
})

test('shows a switch as changed as soon as it is pressed', async ({ newMember }) => {
  const { page } = await newMember(ann)
  await open(page)
  // The state must be correct right after the click, even for screen readers: React resets a controlled checkbox until it rerenders.
  for (const name of ['Public Profile', 'Location Sharing', 'Read receipts and typing', 'Email Notifications', 'Product Updates']) {
    const turned = await page.getByRole('switch', { name }).evaluate((box: HTMLInputElement) => {
      const before = box.checked
      box.click()
      return { before, after: box.checked }
    })
    expect({ name, ...turned }).toEqual({ name, before: turned.before, after: !turned.before })
  }
})

test('shows a switch as last set, even if responses fail or arrive late', async ({ newMember }) => {
  const { page } = await newMember(ann)
  await open(page, '#notifications')
  const products = section(page, 'Notifications').getByRole('switch', { name: 'Product Updates' })
  // The first of three clicks is refused while the others are queued behind it.
  const writes: Route[] = []
  await page.route('**/api/notification-preferences', (route) => {
    if (route.request().method() === 'PATCH') writes.push(route)
    else return route.continue()
  })
  await products.click()
  await products.click()
  await products.click()
  await expect.poll(() => writes.length).toBe(1)
  await writes[0]?.fulfill({ status: 503, json: { message: 'Try again soon.', code: 'unavailable' } })
  await expect(toastWith(page, 'Your settings weren’t saved')).toBeVisible()
  await expect(products).toBeChecked()
  await expect.poll(() => writes.length).toBe(2)
  await writes[1]?.continue()
  await expect.poll(() => writes.length).toBe(3)
  await expect(products).toBeChecked()
  const saved = written(page, /\/notification-preferences$/)
  await writes[2]?.continue()
  await saved
  await expect(products).toBeChecked()
  await page.reload()
  await expect(products).toBeChecked()
})

test('shows the language model switch as last set, even if earlier responses arrive later', async ({ newMember }) => {
  const { page } = await newMember(ann)
  const kept = { steps: [], completed: 0, total: 0, current: null, isDismissed: true, usesModel: false, modelHost: 'model.example' }
  const writes: Route[] = []
  await page.route('**/api/ai/progress', (route) => {
    if (route.request().method() === 'PATCH') writes.push(route)
    else return route.fulfill({ json: kept })
  })
  await open(page)
  const model = page.getByRole('switch', { name: /language model/ })
  await model.click()
  await model.click()
  await expect.poll(() => writes.length).toBe(1)
  await writes[0]?.fulfill({ json: { ...kept, usesModel: true } })
  await expect.poll(() => writes.length).toBe(2)
  expect(writes[1]?.request().postDataJSON()).toEqual({ usesModel: false })
  await expect(model).not.toBeChecked()
  await writes[1]?.fulfill({ json: kept })
  await expect(model).not.toBeChecked()
})

test('leaves other sections working when one fails to load', async ({ newMember }) => {
  const { page, name } = await newMember(ann)
  await page.route('**/api/message-settings', (route) =>
    route.fulfill({ status: 503, json: { message: 'Try again soon.', code: 'unavailable' } }),
  )
  await page.route('**/api/notification-preferences', (route) =>
    route.fulfill({ status: 503, json: { message: 'Try again soon.', code: 'unavailable' } }),
  )
  // Navigates within the app, because a loaded page comes with its initial responses.
  await page.goto('/favorites')
  await page.getByRole('button', { name: `Account: ${name}` }).click()
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(section(page, 'Notifications').getByText('Your preferences couldn’t be loaded')).toBeVisible()
  await expect(section(page, 'Privacy & Visibility').getByText('Your message settings couldn’t be loaded. Try again soon.')).toBeVisible()
  await expect(section(page, 'Privacy & Visibility').getByRole('switch', { name: 'Public Profile' })).toBeEnabled()
  // Another test checks the other sections in both themes.
  await expectAccessible(page, ['light'])
  await page.unroute('**/api/notification-preferences')
  await section(page, 'Notifications').getByRole('button', { name: 'Retry' }).click()
  await expect(section(page, 'Notifications').getByRole('switch', { name: 'Email Notifications' })).toBeChecked()
})
