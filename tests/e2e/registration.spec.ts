import { expect, type Page, test } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { appIsThere } from './app.ts'
import { expectToast, joinByCall, newPerson, type Person, registerByCall } from './people.ts'

const goOn = (page: Page) => page.getByRole('button', { name: 'Continue' })
const finish = (page: Page) => page.getByRole('button', { name: 'Create Account' })

async function fillBasicInfo(page: Page, person: Person) {
  await page.getByLabel('First Name').fill(person.firstName)
  await page.getByLabel('Last Name').fill(person.lastName)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
}

test('registers a person in three steps, suggests a retry after an unexplained failure, and reloads the page at the end', async ({
  page,
}) => {
  const person = newPerson()
  await page.goto('/business/register')
  await page.getByRole('radio', { name: 'Personal' }).check()
  await expect(page.getByText('Step 1 of 3')).toBeVisible()
  await goOn(page).click()

  await expect(page.getByText('Step 2 of 3')).toBeVisible()
  await expect(goOn(page)).toBeDisabled()
  await page.getByLabel('Birthday (Must be 18+)').fill(person.birthday)
  await goOn(page).click()

  await expect(page.getByText('Step 3 of 3')).toBeVisible()
  await expect(finish(page)).toBeDisabled()
  await fillBasicInfo(page, person)
  await page.route('**/api/register', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }), { times: 1 })
  await finish(page).click()
  await expectToast(page, 'Registration failed', 'Please try again')
  await page.evaluate(() => Object.assign(window, { isTheFirstPage: true }))
  await finish(page).click()

  await expectToast(page, 'Welcome to Sungrove!', 'Your account has been created successfully.')
  await expect(page).toHaveURL('/')
  expect(await page.evaluate(() => 'isTheFirstPage' in window)).toBe(false)
  await expect(page.getByRole('heading', { name: 'What brings you here?' })).toBeVisible()
})

test('registers a business in four steps', async ({ page }) => {
  const person = newPerson()
  await page.goto('/business/register')
  await page.getByRole('radio', { name: 'Business' }).check()
  await expect(page.getByText('Step 1 of 4')).toBeVisible()
  await goOn(page).click()
  await page.getByLabel('Birthday (Must be 18+)').fill(person.birthday)
  await goOn(page).click()

  await expect(page.getByText('Step 3 of 4')).toBeVisible()
  for (const field of ['First Name', 'Last Name', 'Email'] as const) {
    await fillBasicInfo(page, person)
    await expect(goOn(page)).toBeEnabled()
    await page.getByLabel(field).fill('')
    await expect(goOn(page)).toBeDisabled()
  }
  await fillBasicInfo(page, person)
  await goOn(page).click()

  await expect(page.getByText('Step 4 of 4')).toBeVisible()
  await expect(finish(page)).toBeDisabled()
  await page.getByLabel('Business Type').selectOption('glass_shop')
  await finish(page).click()
  await expectToast(page, 'Welcome to Sungrove!', 'Your account has been created successfully.')
  // Next, the person registers the business itself.
  await expect(page).toHaveURL('/business/register')
  await expect(page.getByLabel('Business Name')).toBeVisible()
  const user = await (await page.request.get('/api/auth/user')).json()
  expect(user).toMatchObject({ userType: 'business', businessType: 'glass_shop', email: person.email })
})

test('lets people go back in the wizard and stops minors', async ({ page }) => {
  await page.goto('/business/register')
  await goOn(page).click()
  await page.getByLabel('Birthday (Must be 18+)').fill('2015-06-01')
  await expect(page.getByText('You must be 18 years or older to access this platform.')).toBeVisible()
  await goOn(page).click()
  await expect(page.getByLabel('Birthday (Must be 18+)')).toBeFocused()
  await expect(page.getByText(/^Step 2 of/)).toBeVisible()
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(page.getByText(/^Step 1 of/)).toBeVisible()
})

test('shows a refusal at the step that caused it', async ({ page }) => {
  const taken = newPerson()
  await registerByCall(page, taken)
  await page.context().clearCookies()
  await page.goto('/business/register')
  await page.getByRole('radio', { name: 'Business' }).check()
  await goOn(page).click()
  await page.getByLabel('Birthday (Must be 18+)').fill(taken.birthday)
  await goOn(page).click()
  await fillBasicInfo(page, taken)
  await goOn(page).click()
  await page.getByLabel('Business Type').selectOption('farm')
  await finish(page).click()
  await expectToast(page, 'Registration failed', 'An account with this email already exists. Sign in instead.')
  await expect(page.getByText('Step 3 of 4')).toBeVisible()
  await expect(page.getByLabel('Email')).toBeFocused()
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription('An account with this email already exists. Sign in instead.')
})

test('lets a member add a business without further questions and lists it despite a cached list', async ({ page }) => {
  await joinByCall(page, newPerson())
  await page.setViewportSize({ width: 1000, height: 900 })
  const name = `Second Door ${Date.now().toString(36)}`
  const find = async () => {
    await page.getByRole('banner').getByRole('link', { name: 'Discover' }).click()
    await page.getByLabel('Name or keyword').fill(name)
  }
  await page.goto('/favorites')
  await appIsThere(page)
  await find()
  await expect(page.getByRole('heading', { name: 'No businesses found' })).toBeVisible()
  await page.getByRole('button', { name: 'Account: Robin Vale' }).click()
  await page.getByRole('link', { name: 'Register Business' }).click()
  await expect(page).toHaveURL('/business/register')
  await expect(page.getByText(/^Step/)).toHaveCount(0)
  await expect(page.getByLabel('Business Name')).toBeVisible()
  await expectAccessible(page)
  const create = page.getByRole('button', { name: 'Create Business Profile' })
  await expect(create).toBeDisabled()
  const address = page.getByLabel('Address', { exact: true })
  await page.getByLabel('Business Type').selectOption('farm')
  await expect(address).toHaveAccessibleDescription('We don’t store or show a farm’s street address. Its page shows only the city.')
  await page.getByLabel('Business Type').selectOption('dispensary')
  await expect(address).toHaveAccessibleDescription('')
  await page.getByLabel('Business Name').fill(name)
  await page.getByRole('combobox', { name: 'Location' }).fill('80302')
  await page.getByRole('option', { name: 'Boulder, CO 80302' }).click()
  await page.getByLabel('License Number').fill('402R-99417')
  await create.click()
  await expectToast(page, 'Success!', 'Your business profile has been created successfully.')
  await expect(page).toHaveURL(/\/business-dashboard\?business=second-door-/)
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await find()
  await expect(page.getByRole('main').getByRole('article').filter({ hasText: name })).toBeVisible()
})

test('has an accessible wizard', async ({ page }) => {
  // Axe checks four screens in two themes.
  test.slow()
  const person = newPerson()
  await page.goto('/business/register')
  await page.getByRole('radio', { name: 'Business' }).check()
  await expectAccessible(page)
  await goOn(page).click()
  await page.getByLabel('Birthday (Must be 18+)').fill('2015-06-01')
  await expectAccessible(page)
  await page.getByLabel('Birthday (Must be 18+)').fill(person.birthday)
  await goOn(page).click()
  await fillBasicInfo(page, person)
  await expectAccessible(page)
  await goOn(page).click()
  await expect(page.getByLabel('Business Type')).toBeVisible()
  await expectAccessible(page)
})
