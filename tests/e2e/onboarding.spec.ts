import { expect, type Page, test } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { hold } from './app.ts'
import { expectToast, fillSignUp, joinByCall, newPerson, passAgeGate, registerByCall } from './people.ts'

async function currentUser(page: Page) {
  const answer = await page.request.get('/api/auth/user')
  return (await answer.json()) as { userType: string; hasCompletedOnboarding: boolean; location: string; interests: string[] }
}

test.describe('a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('lets every city be tapped, before and after the age gate', async ({ page }) => {
    const cities = page.getByText('Find an open shop:').getByRole('link')
    const expectTappable = async () => {
      await expect(cities).toHaveCount(5)
      // A trial tap fails if another link's target covers this one.
      for (const city of await cities.all()) await city.tap({ trial: true, timeout: 2000 })
    }
    await page.goto('/')
    await expectTappable()
    await passAgeGate(page)
    await expectTappable()
    await cities.first().tap()
    await expect(page).toHaveURL(/^[^?]*\/places\/[a-z-]+\/[a-z-]+\?sort=open$/)
    // A state's list is long, and a city's may be empty.
    for (const path of ['/places/colorado', '/places/kansas/topeka']) {
      await page.goto(path)
      await page.getByRole('searchbox', { name: 'City, state or ZIP code' }).fill('80202')
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL('/places/colorado/denver')
    }
  })
})

test('takes a new person through the age gate, the account, and the profile to Home', async ({ page }) => {
  const person = newPerson()
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Age Verification Required' })).toBeVisible()
  await expect(page.getByText('You must be 18 years or older to access this platform.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Terms of Service' })).toHaveAttribute('href', '/terms')
  await expect(page.getByRole('link', { name: 'Privacy Policy' })).toHaveAttribute('href', '/privacy')
  await passAgeGate(page)

  await expect(page.getByRole('heading', { name: 'Business Account' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Personal Account' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Sign In (Business)' })).toHaveAttribute('href', '/api/login')
  await expect(page.getByRole('link', { name: 'Sign In (User)' })).toHaveAttribute('href', '/api/login')
  await page.getByRole('link', { name: 'Sign Up as User' }).click()

  await expect(page).toHaveURL('/signup?accountType=consumer')
  await expect(page.getByRole('radio', { name: 'Personal' })).toBeChecked()
  await fillSignUp(page, person)
  await page.getByRole('button', { name: 'Create Account' }).click()

  // The age gate isn't shown again.
  await expect(page.getByRole('heading', { name: 'Create your profile' })).toBeVisible()
  await expect(page.getByLabel('First Name')).toHaveValue(person.firstName)
  await expect(page.getByRole('checkbox', { name: 'Public Profile' })).not.toBeChecked()
  await expect(page.getByRole('checkbox', { name: 'Location Sharing' })).toBeChecked()
  await page.getByRole('combobox', { name: 'Location' }).fill('denv')
  await page.getByRole('option', { name: 'Denver, CO', exact: true }).click()
  await expect(page.getByRole('combobox', { name: 'Location' })).toHaveValue('Denver, CO')
  await page.getByLabel('Bio').fill('I look after tomatoes.')
  await page.getByText('Growing Tips', { exact: true }).click()
  await page.getByText('Flower', { exact: true }).click()
  await expect(page.getByRole('group', { name: 'Interests' }).getByRole('checkbox')).toHaveCount(8)
  await page.getByRole('button', { name: 'Create Profile' }).click()

  await expectToast(page, 'Welcome to Sungrove!', 'Your profile has been created successfully.')
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('heading', { name: 'Create your profile' })).toBeHidden()
  expect(await currentUser(page)).toMatchObject({
    userType: 'consumer',
    hasCompletedOnboarding: true,
    location: 'Denver, CO',
    interests: ['Growing Tips', 'Flower'],
  })
})

test('onboards a new business only once despite a lost response', async ({ page }) => {
  await page.goto('/')
  await passAgeGate(page)
  await page.getByRole('link', { name: 'Sign Up as Business' }).click()
  await expect(page.getByRole('radio', { name: 'Business' })).toBeChecked()
  await fillSignUp(page, newPerson())
  await page.getByLabel('Business Type').selectOption('farm')
  await page.getByRole('button', { name: 'Create Account' }).click()

  await expect(page.getByRole('heading', { name: 'Set up your business' })).toBeVisible()
  await expect(page.getByLabel('Business Type')).toHaveValue('farm')
  await expect(page.getByLabel('Business Type').locator('option').first()).toHaveText('Cannabis Farm')
  await expect(page.getByLabel('Address', { exact: true })).toHaveAccessibleDescription(
    'We don’t store or show a farm’s street address. Its page shows only the city.',
  )
  await page.getByRole('button', { name: 'Create Business Profile' }).click()
  await expect(page.getByText('Business name is required')).toBeVisible()
  await expect(page.getByText('Location is required')).toBeVisible()
  await expect(page.getByLabel('Business Name')).toBeFocused()

  const name = `Lantern Field ${Date.now().toString(36)}`
  await page.getByLabel('Business Name').fill(name)
  await page.getByRole('combobox', { name: 'Location' }).fill('Boulder, CO')
  await page.getByLabel('Website').fill('lantern field')
  await page.getByRole('button', { name: 'Create Business Profile' }).click()
  await expect(page.getByText('Enter a full address that starts with https://')).toBeVisible()
  await page.getByLabel('Website').fill('lanternfield.example')
  await page.route(
    '**/api/businesses',
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  await page.getByRole('button', { name: 'Create Business Profile' }).click()
  await expectToast(page, 'Error', 'Failed to create business profile. Please try again.')
  // The business is created, but the account can't be reloaded.
  await page.route('**/api/auth/user', (route) => route.abort(), { times: 1 })
  const lost = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/auth/user'))
  await page.getByRole('button', { name: 'Create Business Profile' }).click()
  await lost
  await expectToast(page, 'Error', 'Failed to create business profile. Please try again.')
  await page.getByRole('button', { name: 'Create Business Profile' }).click()
  await expectToast(page, 'Success!', 'Your business profile has been created successfully.')
  await expect(page).toHaveURL('/')
  expect(await currentUser(page)).toMatchObject({ userType: 'business', hasCompletedOnboarding: true })
  const found = await page.request.get(`/api/businesses?q=${encodeURIComponent(name)}`)
  expect(((await found.json()) as { name: string }[]).filter((business) => business.name === name)).toHaveLength(1)
})

test('shows onboarding at every address until it is complete, goes back to the selection, and reports an unsaved profile', async ({
  page,
}) => {
  await registerByCall(page, newPerson())
  for (const path of ['/discover', '/nowhere', '/']) {
    await page.goto(path)
    // The birthday confirmed the person's age, so the age gate is skipped.
    await expect(page.getByRole('heading', { name: 'What brings you here?' }), path).toBeVisible()
  }
  // The account's own type comes first; all four buttons are present.
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Personal Account', 'Business Account'])
  await expect(page.getByRole('button', { name: 'Sign Up as Business' })).toBeVisible()
  for (const name of ['Sign In (Business)', 'Sign In (User)'])
    await expect(page.getByRole('link', { name })).toHaveAttribute('href', '/api/login?switch=true')
  await page.getByRole('button', { name: 'Sign Up as User' }).click()
  await expect(page.getByRole('heading', { name: 'Create your profile' })).toBeFocused()
  await page.getByLabel('Bio').fill('Typed before a look around.')
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('button', { name: 'Sign Up as Business' }).click()
  await expect(page.getByRole('heading', { name: 'Set up your business' })).toBeVisible()
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('button', { name: 'Sign Up as User' }).click()
  await expect(page.getByLabel('Bio')).toHaveValue('Typed before a look around.')

  // A failed save shows an error, and the input is still there at another address.
  await page.getByRole('combobox', { name: 'Location' }).fill('Durango, CO')
  await page.route('**/api/user/profile', (route) =>
    route.fulfill({ status: 503, json: { message: 'The service is busy right now.', code: 'unavailable' } }),
  )
  await page.getByRole('button', { name: 'Create Profile' }).click()
  await expectToast(page, 'Error', 'Failed to create profile. Please try again.')
  await page.unroute('**/api/user/profile')
  await page.goto('/onboarding')
  await page.getByRole('button', { name: 'Sign Up as User' }).click()
  await expect(page.getByRole('combobox', { name: 'Location' })).toHaveValue('Durango, CO')
  await page.getByRole('button', { name: 'Create Profile' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('heading', { name: 'Create your profile' })).toBeHidden()
})

test('loses no input when the session ends during onboarding', async ({ page }) => {
  const person = newPerson()
  await registerByCall(page, person)
  await page.goto('/')
  await page.getByRole('button', { name: 'Sign Up as User' }).click()
  await page.getByRole('combobox', { name: 'Location' }).fill('Salida, CO')
  await page.context().clearCookies({ name: /session/ })
  await page.getByRole('button', { name: 'Create Profile' }).click()
  // Without the session, the person is a visitor.
  await passAgeGate(page)
  await page.getByRole('link', { name: 'Sign In (User)' }).click()
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click()
  await page.getByRole('button', { name: 'Sign Up as User' }).click()
  await expect(page.getByRole('combobox', { name: 'Location' })).toHaveValue('Salida, CO')
})

test('never asks people to confirm their age again in another tab, browser, or account, and switches accounts through Sign In', async ({
  browser,
  page,
  context,
}) => {
  const [person, other] = [newPerson(), newPerson()]
  const selection = (where: Page) => where.getByRole('heading', { name: 'What brings you here?' })
  await registerByCall(page, person)
  await page.goto('/')
  await expect(selection(page)).toBeVisible()

  const tab = await context.newPage()
  await tab.goto('/discover?search=farm')
  await expect(selection(tab)).toBeVisible()

  // The account's birthday also counts in other browsers.
  const elsewhere = await (await browser.newContext()).newPage()
  await elsewhere.request.post('/api/login', { data: { email: person.email, password: person.password } })
  await elsewhere.goto('/pheno-hunt')
  await expect(selection(elsewhere)).toBeVisible()
  await elsewhere.context().close()

  // The browser remembers that a visitor passed the age gate.
  await page.getByRole('link', { name: 'Sign In (User)' }).click()
  await expect(page).toHaveURL('/auth')
  expect((await page.request.get('/api/auth/user')).status()).toBe(401)
  await page.goto('/')
  await passAgeGate(page)
  await expect(selection(page)).toBeVisible()
  await page.goto('/')
  await expect(selection(page)).toBeVisible()
  await registerByCall(page, other, 'business')
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Business Account', 'Personal Account'])
})

test('leads from the age gate to the choice of an account by keyboard', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('checkbox')).toBeVisible()
  await page.getByRole('checkbox').focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Enter Sungrove' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'What brings you here?' })).toBeVisible()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Sign Up as Business' })).toBeFocused()
})

test('lets people change their profile afterward, logs failures, and shows Saving... during the save', async ({ page }) => {
  await joinByCall(page, newPerson())
  const logged: string[] = []
  page.on('console', (message) => message.type() === 'error' && logged.push(message.text()))
  const refuse = (address: string) =>
    page.route(address, (route) => route.fulfill({ status: 500, json: { message: 'Something went wrong.', code: 'internal' } }))
  const isLogged = () => expect.poll(() => logged.filter((text) => text.includes('500: {"message"')).length)

  await page.goto('/onboarding')
  await expect(page.getByRole('heading', { name: 'Your profile' })).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Location' })).toHaveValue('Denver, CO')
  await page.getByRole('combobox', { name: 'Location' }).fill('Golden, CO')
  await refuse('**/api/user/settings/profile')
  await page.getByRole('button', { name: 'Save Profile' }).click()
  await isLogged().toBe(1)
  await page.unroute('**/api/user/settings/profile')
  const release = await hold(page, '**/api/user/settings/profile')
  await page.getByRole('button', { name: 'Save Profile' }).click()
  await expect(page.getByRole('button', { name: 'Saving...' })).toBeVisible()
  release()
  await expect(page).toHaveURL('/')
  expect(await currentUser(page)).toMatchObject({ location: 'Golden, CO' })

  await page.getByRole('banner').getByRole('link', { name: 'Post', exact: true }).click()
  await refuse('**/api/posts')
  await page.getByRole('textbox', { name: 'Title' }).fill('Rain')
  await page.getByRole('textbox', { name: 'Content' }).fill('All night.')
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  await isLogged().toBe(2)

  await page.getByRole('button', { name: 'Account: Robin Vale' }).click()
  await page.getByRole('link', { name: 'Register Business' }).click()
  await refuse('**/api/businesses')
  await page.getByLabel('Business Type').selectOption('farm')
  await page.getByLabel('Business Name').fill('Nowhere Farm')
  await page.getByRole('combobox', { name: 'Location' }).fill('Denver, CO')
  await page.getByRole('button', { name: 'Create Business Profile' }).click()
  await isLogged().toBe(3)
})

test('has an accessible age gate, selection, and forms', async ({ page }) => {
  // Axe checks five screens.
  test.slow()
  await page.goto('/')
  await expect(page.getByRole('checkbox')).toBeVisible()
  await expectAccessible(page)
  await passAgeGate(page)
  await expect(page.getByRole('heading', { name: 'Personal Account' })).toBeVisible()
  await expectAccessible(page)
  await registerByCall(page, newPerson())
  await page.reload()
  await page.getByRole('button', { name: 'Sign Up as User' }).click()
  await page.getByRole('button', { name: 'Create Profile' }).click()
  await expect(page.getByText('Location is required')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('combobox', { name: 'Location' }).fill('denv')
  await expect(page.getByRole('option').first()).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('button', { name: 'Sign Up as Business' }).click()
  await page.getByRole('button', { name: 'Create Business Profile' }).click()
  await expect(page.getByText('Business name is required')).toBeVisible()
  await expectAccessible(page)
})
