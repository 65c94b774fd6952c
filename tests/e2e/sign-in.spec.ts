import { expect, type Page, test } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { makeAdmin, signIn as signInByCall } from './admins.ts'
import { toastWith } from './directory.ts'
import { mailedLink } from './mail.ts'
import { post } from './members.ts'
import { joinByCall, newPerson, type Person } from './people.ts'

/** A virtual authenticator that creates and uses passkeys, with user verification simulated. */
async function addDevice(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    refuse: (isRefused: boolean) => session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: !isRefused }),
    passkeys: async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
  }
}

async function openSettings(page: Page) {
  await page.goto('/settings#sign-in')
  const section = page.getByRole('region', { name: 'Sign-in and security' })
  await expect(section.getByText('This device')).toBeVisible()
  return section
}

async function enter(page: Page, { email, password }: Pick<Person, 'email' | 'password'>) {
  await page.goto('/auth')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click()
  await expect(page).toHaveURL('/')
}

test('adds a passkey, signs in with it, and renames and removes it without further proof', async ({ page }) => {
  const person = newPerson()
  await joinByCall(page, person)
  const device = await addDevice(page)
  const section = await openSettings(page)
  await section.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await dialog.getByLabel('Name').fill('My key')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByText('Password is required')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByLabel('Your password').fill(person.password)
  await device.refuse(true)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByText(/^Nothing was confirmed|^This device can’t/)).toBeVisible()
  await device.refuse(false)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(section.getByRole('button', { name: 'Rename My key' })).toBeVisible()
  expect(await device.passkeys()).toBe(1)
  await expectAccessible(page)

  await page.context().clearCookies()
  await page.goto('/auth')
  await device.refuse(true)
  await page.getByRole('button', { name: 'Continue with a passkey' }).click()
  await expect(page.getByText('Nothing was confirmed')).toBeVisible()
  await device.refuse(false)
  await page.getByRole('button', { name: 'Continue with a passkey' }).click()
  await expect(page).toHaveURL('/')
  expect(await (await page.request.get('/api/auth/user')).json()).toMatchObject({ email: person.email, secondFactor: 'shown' })

  // The passkey was just used, so no proof is required.
  await openSettings(page)
  await section.getByRole('button', { name: 'Rename My key' }).click()
  await section.getByLabel('New name for My key').fill('Old key')
  await section.getByRole('button', { name: 'Save name' }).click()
  await section.getByRole('button', { name: 'Remove Old key' }).click()
  const removal = page.getByRole('dialog', { name: 'Remove “Old key”?' })
  await expect(removal.getByLabel('Your password')).toHaveCount(0)
  await removal.getByRole('button', { name: 'Remove passkey' }).click()
  await expect(section.getByRole('button', { name: 'Remove Old key' })).toHaveCount(0)
})

test('accepts a passkey instead of the password to confirm a change', async ({ page }) => {
  const person = newPerson()
  await joinByCall(page, person)
  await addDevice(page)
  const section = await openSettings(page)
  await section.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByLabel('Your password').fill(person.password)
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
  await expect(section.getByText('not used yet')).toBeVisible()
  await section.getByRole('button', { name: 'Change email' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change email' })
  await dialog.getByRole('button', { name: 'Use a passkey instead' }).click()
  await expect(dialog.getByLabel('Your password')).toHaveCount(0)
  await dialog.getByLabel('New email').fill(newPerson().email)
  await dialog.getByRole('button', { name: 'Send link' }).click()
  await expect(section.getByText('Until then, nothing changes.')).toBeVisible()
})

test('asks for the password after re-authentication has expired', async ({ page }) => {
  await joinByCall(page, newPerson())
  // Responds as if a passkey had been used less than ten minutes ago, but only when the page opens.
  let isFirst = true
  await page.route('**/api/sign-in', async (route) => {
    if (!isFirst) return route.continue()
    isFirst = false
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), isProven: true } })
  })
  const section = await openSettings(page)
  await section.getByRole('button', { name: 'Change email' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change email' })
  await dialog.getByLabel('New email').fill(newPerson().email)
  await dialog.getByRole('button', { name: 'Send link' }).click()
  await expect(dialog.getByText('Password is required')).toBeVisible()
  await expect(dialog.getByLabel('Your password')).toBeFocused()
})

test('changes the password and signs out every other device', async ({ page, browser }) => {
  const person = newPerson()
  await joinByCall(page, person)
  const other = await browser.newPage()
  await post(other, '/api/login', { email: person.email, password: person.password })
  const section = await openSettings(page)
  await section.getByRole('button', { name: 'Change password' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change password' })
  await dialog.getByLabel('Current password').fill('not this one')
  await dialog.getByLabel('New password').fill('amber kites beyond maple')
  await dialog.getByRole('button', { name: 'Change password' }).click()
  await expect(dialog.getByText('This isn’t your password.')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByLabel('Current password').fill(person.password)
  await dialog.getByRole('button', { name: 'Change password' }).click()
  await expect(dialog).toHaveCount(0)
  expect((await other.request.get('/api/auth/user')).status()).toBe(401)
  expect((await page.request.get('/api/auth/user')).status()).toBe(200)
  await enter(other, { ...person, password: 'amber kites beyond maple' })
  await other.close()
})

test('changes the address through the emailed link, and restores the old one', async ({ page }) => {
  test.slow()
  const person = newPerson()
  const [{ email: mistaken }, { email }] = [newPerson(), newPerson()]
  await joinByCall(page, person)
  const section = await openSettings(page)
  await section.getByRole('button', { name: 'Change email' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change email' })
  await dialog.getByLabel('New email').fill(mistaken)
  // A reload keeps the input, except the password.
  await page.reload()
  await section.getByRole('button', { name: 'Change email' }).click()
  await expect(dialog.getByLabel('New email')).toHaveValue(mistaken)
  await dialog.getByLabel('Your password').fill(person.password)
  await dialog.getByRole('button', { name: 'Send link' }).click()
  await expect(section.getByText(mistaken)).toBeVisible()
  await expectAccessible(page)
  await section.getByRole('button', { name: 'Cancel this change' }).click()
  await expect(section.getByText(mistaken)).toHaveCount(0)

  await section.getByRole('button', { name: 'Change email' }).click()
  await dialog.getByLabel('New email').fill(email)
  await dialog.getByLabel('Your password').fill(person.password)
  await dialog.getByRole('button', { name: 'Send link' }).click()
  await page.goto(await mailedLink(email, 'kind=new-email'))
  await expect(page.getByRole('heading', { name: 'Your email has changed' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Settings' }).last().click()
  await expect(section.getByText(email)).toBeVisible()

  await page.context().clearCookies()
  await page.goto(await mailedLink(person.email, 'kind=undo-email'))
  await expect(page.getByRole('heading', { name: 'Wasn’t this you?' })).toBeVisible()
  await expectAccessible(page)
  await page.route('**/api/auth/user', (route) => route.abort(), { times: 1 })
  await page.getByRole('button', { name: 'Keep this address' }).click()
  await expect(page.getByRole('heading', { name: 'Your account has this address again' })).toBeVisible()
  // The attacker knew the password, so it no longer works, and an emailed link sets a new one.
  await page.goto(await mailedLink(person.email, '/auth/reset'))
  await page.getByLabel('New password').fill('amber kites beyond maple')
  await page.getByRole('button', { name: 'Save password' }).click()
  await expect(page).toHaveURL('/auth')
  await enter(page, { ...person, password: 'amber kites beyond maple' })
  await page.goto('/auth/verify?token=nonsense&kind=undo-email')
  await page.getByRole('button', { name: 'Keep this address' }).click()
  await expect(page.getByRole('heading', { name: 'This link no longer works' })).toBeVisible()
})

test('lists devices by name and signs them out', async ({ page, browser }) => {
  const person = newPerson()
  await joinByCall(page, person)
  const userAgent = 'Mozilla/5.0 (Linux; Android 14; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36'
  const contexts = await Promise.all([browser.newContext({ userAgent }), browser.newContext()])
  const [phone, laptop] = await Promise.all(contexts.map((context) => context.newPage()))
  if (!phone || !laptop) throw new Error('no pages')
  for (const each of [phone, laptop]) await post(each, '/api/login', { email: person.email, password: person.password })
  const section = await openSettings(page)
  await section.getByRole('button', { name: 'Sign out Chrome on Android' }).click()
  await expect(section.getByText('Chrome on Android')).toHaveCount(0)
  expect((await phone.request.get('/api/auth/user')).status()).toBe(401)
  expect((await laptop.request.get('/api/auth/user')).status()).toBe(200)
  await section.getByRole('button', { name: 'Sign out all others' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out all others' }).click()
  // Elements behind an open dialog have no role, so this waits until it has closed.
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await expect(section.getByRole('button', { name: 'Sign out all others' })).toHaveCount(0)
  expect((await laptop.request.get('/api/auth/user')).status()).toBe(401)
  for (const context of contexts) await context.close()
})

test('requires an admin’s second factor before changes to sign-in methods', async ({ page }) => {
  await signInByCall(page, await makeAdmin())
  const section = await openSettings(page)
  await expect(section.getByRole('heading', { name: 'Confirm your second factor first' })).toBeVisible()
  await expect(section.getByRole('button', { name: 'Change password' })).toBeDisabled()
  await expectAccessible(page)
})

test('creates an API key that reads hunts until it is revoked', async ({ page, request }) => {
  const person = newPerson()
  await joinByCall(page, person)
  const section = await openSettings(page)
  await section.getByRole('button', { name: 'Create a key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create an API key' })
  await dialog.getByLabel('Your password').fill(person.password)
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await expect(dialog.getByText('Name the key after the program that will use it')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByLabel('Name').fill('Field Book')
  await dialog.getByLabel('Permissions').selectOption('Read and write hunts')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await expect(section.getByText('Read and write', { exact: false })).toBeVisible()
  const secret = await section.getByRole('textbox', { name: 'Key' }).inputValue()
  await expectAccessible(page)
  const read = async () => (await request.get('/api/brapi/v2/trials', { headers: { authorization: `Bearer ${secret}` } })).status()
  expect(await read()).toBe(200)
  await page.setViewportSize({ width: 320, height: 700 })
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  await section.getByRole('button', { name: 'Done' }).click()
  await section.getByRole('button', { name: 'Revoke Field Book' }).click()
  await page.getByRole('button', { name: 'Revoke key' }).click()
  await expect(section.getByText('No keys yet.')).toBeVisible()
  expect(await read()).toBe(401)
})

test('publishes nothing as someone else who has signed in from another tab, and keeps the text', async ({ page }) => {
  const [ann, ben] = [newPerson(), newPerson()]
  await joinByCall(page, ben)
  await joinByCall(page, ann)
  await page.goto('/create-post')
  await page.getByRole('textbox', { name: 'Title' }).fill('From Ann')
  await page.getByRole('textbox', { name: 'Content' }).fill('Only Ann may publish this.')
  await post(page, '/api/login', { email: ben.email, password: ben.password })
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  await expect(toastWith(page, 'Someone else is signed in now').getByRole('button', { name: 'Reload' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('From Ann')
  await post(page, '/api/login', { email: ann.email, password: ann.password })
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  await expect(page.getByRole('article', { name: 'From Ann' })).toBeVisible()
})
