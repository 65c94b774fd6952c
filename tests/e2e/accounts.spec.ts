import { expect, type Page, test } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { mailedLink } from './mail.ts'
import { expectToast, fillSignUp, joinByCall, newPerson, type Person } from './people.ts'

async function signIn(page: Page, { email, password }: Pick<Person, 'email' | 'password'>) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click()
}

async function member(page: Page): Promise<Person> {
  const person = newPerson()
  await joinByCall(page, person)
  await page.context().clearCookies()
  return person
}

test('signs up a new consumer, and shows an error next to a minor’s birthday and a taken email', async ({ page }) => {
  const taken = await member(page)
  const person = newPerson()
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
  const seventeen = new Date()
  seventeen.setUTCFullYear(seventeen.getUTCFullYear() - 18)
  seventeen.setUTCDate(seventeen.getUTCDate() + 1)
  await page.goto('/auth')
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await fillSignUp(page, { ...person, email: taken.email, birthday: seventeen.toISOString().slice(0, 10) })
  await expect(page.getByText('You must be 18 years or older to access this platform.')).toBeVisible()
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page.getByLabel('Birthday (Must be 18+)')).toBeFocused()
  expect(sent).toEqual([])

  await page.getByLabel('Birthday (Must be 18+)').fill(person.birthday)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expectToast(page, 'Registration failed', 'An account with this email already exists. Sign in instead.')
  await expect(page.getByLabel('Email')).toBeFocused()
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription('An account with this email already exists. Sign in instead.')

  await page.getByLabel('Email').fill(person.email)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expectToast(page, 'Registration successful!', 'Your account has been created.')
  await expect(page).toHaveURL('/')
  // The birthday confirmed the person's age, so the age gate is skipped.
  await expect(page.getByRole('heading', { name: 'What brings you here?' })).toBeVisible()
})

test('signs up a new business and continues to its dashboard', async ({ page }) => {
  await page.goto('/signup?accountType=business')
  await fillSignUp(page, newPerson())
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page.getByText('Choose a business type')).toBeVisible()
  await expect(page.getByLabel('License Number')).toHaveAccessibleDescription(
    'Needed for subscription features and verification. You can add it later.',
  )
  await page.getByLabel('Business Type').selectOption('dispensary')
  await page.getByLabel('License Number').fill('402R-00099')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expectToast(page, 'Registration successful!', 'Your business account has been created.')
  await expect(page).toHaveURL('/business-dashboard')
  // The birthday confirmed the person's age, so the age gate is skipped.
  await expect(page.getByRole('heading', { name: 'Set up your business' })).toBeVisible()
})

test('sends nothing without an email and password, refuses a wrong password, and returns only to requested pages on this site', async ({
  page,
}) => {
  const { email, password } = await member(page)
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
  await page.goto(`/api/login?returnTo=${encodeURIComponent('/discover?search=denver')}`)
  await expect(page.getByRole('heading', { name: 'Sign in to see Discover' })).toBeVisible()
  await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByText('Email is required')).toBeVisible()
  await expect(page.getByText('Password is required')).toBeVisible()
  await expect(page.getByLabel('Email')).toBeFocused()
  expect(sent).toEqual([])

  await signIn(page, { email, password: 'not the password' })
  await expectToast(page, 'Login failed', 'Incorrect email or password.')
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()

  await signIn(page, { email, password })
  await expect(page).toHaveURL('/discover?search=denver')
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(/sign in/i)

  await page.context().clearCookies()
  await page.goto(`/auth?returnTo=${encodeURIComponent('//evil.example/')}`)
  await signIn(page, { email, password })
  await expect(page).toHaveURL('/')
})

test('rates a password while it is typed, can show it, and restores all other input after a reload', async ({ page }) => {
  const person = newPerson()
  await page.goto('/signup')
  await fillSignUp(page, { ...person, password: 'sunshine1' })
  await expect(page.getByText('This is a common password.', { exact: false })).toBeVisible()
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page.getByText('This password is easy to guess.', { exact: false })).toBeVisible()

  await page.getByRole('button', { name: 'Show password' }).click()
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'text')
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await expect(page.getByText('Strong', { exact: true })).toBeVisible()
  await expect(page.getByText('This password is easy to guess.', { exact: false })).toBeHidden()

  await page.reload()
  await expect(page.getByLabel('Email')).toHaveValue(person.email)
  await expect(page.getByLabel('Birthday (Must be 18+)')).toHaveValue(person.birthday)
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('')
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toContain(person.password)
})

test('keeps a button under the pointer while pressed, even when blur shows errors', async ({ page }) => {
  await page.goto('/auth')
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await page.getByLabel('First Name').focus()
  await page.getByRole('button', { name: 'Create Account' }).click({ position: { x: 40, y: 4 }, delay: 200 })
  // The click submitted the form: all fields were validated, not just the field that lost focus.
  await expect(page.getByText('Email is required')).toBeVisible()
  await expect(page.getByLabel('First Name')).toBeFocused()
})

test('takes a new person to the requested page after the profile form', async ({ page }) => {
  await page.goto('/favorites')
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await expect(page.getByRole('heading', { name: 'Join Sungrove to see your favorites' })).toBeVisible()
  await fillSignUp(page, newPerson())
  await page.getByRole('button', { name: 'Create Account' }).click()
  await page.getByRole('button', { name: 'Sign Up as User' }).click()
  await page.getByLabel('Location', { exact: true }).fill('Denver, CO')
  await page.getByRole('button', { name: 'Create Profile' }).click()
  await expect(page).toHaveURL('/favorites')
  await expect(page.getByText('No Favorites Yet')).toBeVisible()
})

test('resets a forgotten password once through the emailed link', async ({ page }) => {
  const person = await member(page)
  await page.goto('/favorites')
  await page.getByLabel('Email').fill(person.email)
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await expect(page).toHaveURL('/auth/forgot?returnTo=%2Ffavorites')
  await expect(page.getByLabel('Email')).toHaveValue(person.email)
  await page.getByRole('button', { name: 'Send link' }).click()
  await expect(page.getByText(`If an account exists for ${person.email}, a link is on its way.`)).toBeVisible()

  const link = await mailedLink(person.email, '/auth/reset')
  // An intruder's passkey must not go unnoticed.
  await page.route('**/api/auth/password-resets/passkeys', (route) => route.abort(), { times: 1 })
  await page.goto(link)
  const failure = page.getByRole('alert').filter({ hasText: 'Your passkeys couldn’t be loaded.' })
  await failure.getByRole('button', { name: 'Retry' }).click()
  await expect(failure).toHaveCount(0)
  await page.getByLabel('New password').fill('amber kites beyond maple')
  await page.route('**/api/auth/user', (route) => route.abort(), { times: 1 })
  await page.getByRole('button', { name: 'Save password' }).click()
  await expectToast(page, 'Password changed', 'Sign in with your new password.')
  await expect(page).toHaveURL('/auth?returnTo=%2Ffavorites&tab=sign-in')
  await signIn(page, person)
  await expectToast(page, 'Login failed', 'Incorrect email or password.')
  await signIn(page, { ...person, password: 'amber kites beyond maple' })
  await expect(page).toHaveURL('/favorites')

  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'This link no longer works' })).toBeVisible()
  await page.getByRole('link', { name: 'Send a new link' }).click()
})

test('shows the same message on password reset for an unknown address', async ({ page }) => {
  const { email } = newPerson()
  await page.goto('/auth/forgot')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send link' }).click()
  await expect(page.getByText(`If an account exists for ${email}, a link is on its way.`)).toBeVisible()
})

test('confirms an address through the emailed link', async ({ page }) => {
  const person = await member(page)
  await page.goto(await mailedLink(person.email, '/auth/verify'))
  await expect(page.getByRole('heading', { name: 'Your email is confirmed' })).toBeVisible()
  await page.goto('/auth/verify?token=nonsense')
  await expect(page.getByRole('heading', { name: 'This link no longer works' })).toBeVisible()
})

test('continues at the requested page after the emailed link, even in another browser', async ({ browser, page }) => {
  const person = newPerson()
  await page.goto('/auth?returnTo=/business/register')
  await fillSignUp(page, person)
  await page.getByLabel('Business Type').selectOption('dispensary')
  await page.route('**/api/auth/user', (route) => route.abort(), { times: 1 })
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page).toHaveURL('/business/register')
  const elsewhere = await (await browser.newContext()).newPage()
  await elsewhere.goto(await mailedLink(person.email, '/auth/verify'))
  await elsewhere.getByRole('main').getByRole('link', { name: 'Sign In' }).click()
  await expect(elsewhere.getByRole('tab', { name: 'Sign In' })).toHaveAttribute('aria-selected', 'true')
  await signIn(elsewhere, person)
  await expect(elsewhere).toHaveURL('/business/register')
  await expect(elsewhere.getByRole('heading', { level: 1, name: 'Register your business' })).toBeVisible()
  await elsewhere.context().close()
})

test('resends the link if addresses must be confirmed', async ({ page }) => {
  await page.route('**/api/register', (route) => route.fulfill({ status: 201, json: { accountType: 'consumer', confirmEmail: true } }))
  const person = newPerson()
  await page.goto('/signup')
  await fillSignUp(page, person)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeFocused()
  await expect(page.getByText(person.email)).toBeVisible()
  const asked = page.waitForRequest('**/api/auth/email-verification-requests')
  await page.getByRole('button', { name: 'Send the link again' }).click()
  expect((await asked).postDataJSON()).toMatchObject({ email: person.email })
  await expect(page.getByRole('status').filter({ hasText: 'We sent another link.' })).toBeVisible()
  await expectAccessible(page)

  const backToSignIn = async () => {
    await page.getByRole('button', { name: 'Back to sign in' }).click()
    await expect(page.getByRole('tab', { name: 'Sign In' })).toHaveAttribute('aria-selected', 'true')
    await expect(page.getByRole('button', { name: 'Create Account' })).toHaveCount(0)
  }
  await backToSignIn()
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await fillSignUp(page, newPerson())
  await page.getByRole('button', { name: 'Create Account' }).click()
  await backToSignIn()
})

test('asks for confirmation of the address on Home and in Settings until it is confirmed', async ({ page }) => {
  const person = newPerson()
  await joinByCall(page, person)
  const again = page.getByRole('button', { name: 'Send the link again' })
  for (const address of ['/settings', '/']) {
    await page.goto(address)
    await expect(page.getByText(`open the link we sent to ${person.email}`)).toBeVisible()
    await expectAccessible(page)
  }
  await again.click()
  await expect(page.getByText(`We sent another link to ${person.email}.`, { exact: true })).toBeVisible()
  await page.goto(await mailedLink(person.email, '/auth/verify'))
  await expect(page.getByRole('heading', { name: 'Your email is confirmed' })).toBeVisible()
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(again).toHaveCount(0)
})

test('has accessible account forms', async ({ page }) => {
  const heading = page.getByRole('main').getByRole('heading', { level: 1 })
  // /favorites shows visitors the form of /auth, with a line about the page that requires sign-in.
  await page.goto('/favorites')
  await expect(heading).toBeVisible()
  await expectAccessible(page)

  // The business sign-up is the longest form. Checks its errors, too.
  await page.goto('/signup?accountType=business')
  await expect(heading).toBeVisible()
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page.getByText('First name is required')).toBeVisible()
  await expect(page.getByText('Choose a business type')).toBeVisible()
  await expect(page.getByLabel('First Name')).toBeFocused()
  await expectAccessible(page)

  for (const path of ['/auth/forgot', '/auth/reset', '/auth/reset?token=x']) {
    await page.goto(path)
    await expect(heading).toBeVisible()
    await expectAccessible(page)
  }
})
