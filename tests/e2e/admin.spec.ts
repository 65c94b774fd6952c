import { expect } from '@playwright/test'
import { newId } from '#server/kernel/ids.ts'
import { expectAccessible, expectTouchTargets } from './accessibility.ts'
import { codeOf, makeAdmin, openAsAdmin, signIn } from './admins.ts'
import { findBusinesses } from './directory.ts'
import { failJob } from './failed-jobs.ts'
import { post, test } from './members.ts'

const tabs = ['Cases', 'Appeals', 'Claims', 'Licenses', 'People', 'Businesses', 'Communities', 'Plans', 'Invoices', 'Audit log', 'Jobs']

test('asks the first admin for a profile but not for an account type', async ({ page }) => {
  const { email, password } = await makeAdmin()
  await page.request.post('/api/login', { data: { email, password } })
  await page.goto('/admin')
  await expect(page.getByRole('heading', { name: 'Create your profile' })).toBeVisible()
})

test('sets up the first admin’s second factor and signs in with it from then on', async ({ page }) => {
  const person = await makeAdmin()
  await signIn(page, person)
  await page.goto('/admin')
  await expect(page.getByRole('heading', { name: 'Set up a second factor' })).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Password', { exact: true }).fill('something else')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('This isn’t your password.')).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Continue' }).click()

  await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Scan the code with your app' })).toBeFocused()
  const secret = (await page.getByTestId('factor-secret').innerText()).replace(/\s/g, '')
  await expectAccessible(page)
  await page.getByLabel('Code from your authenticator app').fill('12')
  await page.getByRole('button', { name: 'Turn on' }).click()
  await expect(page.getByText('This code is wrong')).toBeVisible()
  await page.getByLabel('Code from your authenticator app').fill(codeOf(secret))
  await page.getByRole('button', { name: 'Turn on' }).click()

  await expect(page.getByRole('heading', { name: 'Save your recovery codes' })).toBeVisible()
  const codes = await page.getByRole('region', { name: 'Save your recovery codes' }).getByRole('listitem').allInnerTexts()
  expect(codes).toHaveLength(10)
  await expectAccessible(page)
  await expect(page.getByRole('button', { name: 'Continue' })).toBeDisabled()
  await page.getByLabel('I’ve saved these codes').check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('heading', { name: 'Pending decisions' })).toBeVisible()

  // A new sign-in shows nothing until a code is entered. The app's code was just used, so enter a recovery code.
  await signIn(page, person)
  await page.goto('/admin')
  await expect(page.getByRole('heading', { level: 1, name: 'Enter your code' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code').fill((codes[0] as string).toLowerCase())
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('heading', { name: 'Pending decisions' })).toBeVisible()

  await page.goto('/security')
  await expect(page.getByText('9 recovery codes are left.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Turn off' })).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'New recovery codes' }).click()
  await expect(page.locator(':focus')).toContainText('New codes replace the old ones.')
})

test('lets an admin open every section', async ({ browser }) => {
  test.slow()
  const { page } = await openAsAdmin(browser)
  await page.goto('/admin')
  await expect(page.getByRole('heading', { name: 'System' })).toBeVisible()
  await expect(page.getByText('Connections', { exact: true })).toBeVisible()
  await expectAccessible(page)
  for (const name of tabs) {
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('button', { name }).click()
    const section = page.getByRole('region', { name, exact: true })
    await expect(section).toBeVisible()
    await expect(section.getByText(/^Loading/)).toHaveCount(0)
    await expectAccessible(page, ['light'])
  }
  await page.setViewportSize({ width: 390, height: 844 })
  const sections = page.getByLabel('Section', { exact: true })
  for (const value of ['plans', 'audit', 'people']) {
    await sections.selectOption({ value })
    await expect(page).toHaveURL(`/admin?tab=${value}`)
    await expect(page.getByRole('main').getByText(/^Loading/)).toHaveCount(0)
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  }
  await sections.selectOption({ label: 'Businesses' })
  await page.getByLabel('Find businesses').fill('green')
  await page.getByRole('button', { name: 'Search', exact: true }).last().click()
  await expect(page).toHaveURL(/tab=businesses.*q=green/)
  await expectAccessible(page)
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('button', { name: 'Businesses' }).click()
  await expect(page.getByLabel('Find businesses')).toHaveValue('')
  await page.context().close()
})

test('gives list links and buttons touch targets of 44 pixels that don’t overlap', async ({ browser }) => {
  const admin = await openAsAdmin(browser)
  const storageState = await admin.page.context().storageState()
  const phone = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, storageState })
  const page = await phone.newPage()
  for (const tab of ['businesses', 'communities', 'audit']) {
    await page.goto(`/admin?tab=${tab}`)
    const targets = page.getByRole('main').getByRole('listitem').locator('a, button')
    await expect(targets.first()).toBeVisible()
    await expectTouchTargets(targets)
  }
  await Promise.all([phone.close(), admin.page.context().close()])
})

test('shows a person, changes a role, and logs both', async ({ browser, newMember }) => {
  const member = await newMember({ firstName: 'Odile', lastName: `Quill${Math.random().toString(36).slice(2, 7)}` })
  const { page } = await openAsAdmin(browser)
  await page.goto('/admin?tab=people')
  await page.getByLabel('Find people').fill(member.name.split(' ')[1] as string)
  await page.getByLabel('Find people').press('Enter')
  await page.getByRole('button', { name: member.name }).click()
  const dialog = page.getByRole('dialog', { name: member.name })
  await expect(dialog.getByText(member.user.email)).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Make a moderator' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Change role' }).click()
  await expect(dialog.getByRole('button', { name: 'Make a member' })).toBeVisible()
  await dialog.getByRole('link', { name: 'Actions on their account' }).click()
  const log = page.getByRole('region', { name: 'Audit log' })
  await expect(log.getByText('Robin Vale changed a role')).toBeVisible()
  await expect(log.getByText('Robin Vale viewed an account').first()).toBeVisible()
  await page.getByLabel('What').selectOption({ label: 'Changed a role' })
  await expect(log.getByText('Robin Vale viewed an account')).toHaveCount(0)
  await page.getByLabel('From').fill('2020-01-01')
  await expect(page).toHaveURL(/from=2020-01-01/)
  await expect(page.getByLabel('From')).toBeFocused()
  await expectAccessible(page)
  await log.getByRole('button', { name: 'All entries about this' }).first().click()
  await expect(log.getByText('Robin Vale viewed an account').first()).toBeVisible()
  await expect(page.getByLabel('From')).toHaveValue('')

  await member.page.goto('/admin')
  await expect(member.page.getByRole('heading', { name: 'Set up a second factor' })).toBeVisible()
  await page.context().close()
})

test('removes a decided claim from the list and moves focus to its start', async ({ browser, newMember }) => {
  const member = await newMember({ firstName: 'Odile', lastName: 'Quill' })
  const listings = (await findBusinesses(member.page, 'state=AK&limit=100')).filter(({ isClaimed }) => !isClaimed)
  const listing = listings[Math.floor(Math.random() * listings.length)]
  const statement = `It is mine, says ${Math.random().toString(36).slice(2)}.`
  await post(member.page, '/api/claims', { method: 'review', businessId: listing?.id, statement })
  const { page } = await openAsAdmin(browser)
  await page.goto('/admin?tab=claims')
  const claim = page.getByRole('article').filter({ hasText: statement })
  await claim.getByRole('button', { name: 'Reject' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Reject' }).click()
  await expect(dialog.getByText('Enter a reason')).toBeVisible()
  await dialog.getByLabel('Reason').fill('The register names someone else.')
  await dialog.getByRole('button', { name: 'Reject' }).click()
  await expect(claim).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Pending, oldest first' })).toBeFocused()
  await page.context().close()
})

test('retries a failed job', async ({ browser }) => {
  const { page } = await openAsAdmin(browser)
  // The account doesn't exist, so the retried job is a no-op and succeeds.
  await failJob('accounts.mail-password-changed', { userId: newId() }, 'the mail server refused ann@example.com')
  await page.goto('/admin?tab=jobs')
  const failed = page.getByRole('listitem').filter({ hasText: 'accounts.mail-password-changed' })
  await expect(failed.first()).toContainText('the mail server refused [address]')
  await expectAccessible(page)
  const before = await failed.count()
  await failed.first().getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByText('Retrying 1 job', { exact: true })).toBeVisible()
  await expect(failed).toHaveCount(before - 1)
  await page.context().close()
})

test('hides the admin page from members and refuses their calls', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Nell', lastName: 'Noone' })
  await page.goto('/admin?tab=audit')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByText('Audit log')).toHaveCount(0)
  await expect(page.getByRole('navigation', { name: 'Sections' })).toHaveCount(0)
  for (const url of ['/api/admin/health', '/api/admin/people', '/api/admin/audit', '/api/admin/jobs', '/api/admin/waiting']) {
    expect((await page.request.get(url)).status(), url).toBe(403)
  }
})
