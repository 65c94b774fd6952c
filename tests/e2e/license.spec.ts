import { expect } from '@playwright/test'
import type { Business } from '#contracts/businesses.ts'
import { licenseDay } from '#contracts/time.ts'
import { expectAccessible } from './accessibility.ts'
import { openAsAdmin } from './admins.ts'
import { hold } from './app.ts'
import { test } from './members.ts'

/** A license in the shipped register with a phone number but no place, and therefore no listing. */
const license = { number: 'OCM-CAURD-2022-000234', name: 'Gabbys Green LLC', type: 'other', phone: '(631) 896-6748' }

test('verifies a license through the register’s phone number and only then shows it', async ({ newMember, browser }) => {
  test.slow()
  const { page } = await newMember({ firstName: 'Gabby', lastName: 'Green' })
  const answer = await page.request.post('/api/businesses', {
    data: { businessType: license.type, businessName: license.name, location: 'Albany, NY', licenseNumber: license.number },
  })
  const business = (await answer.json()) as Business
  await page.goto(`/business-dashboard/license?business=${business.slug}`)
  const form = page.getByRole('form', { name: 'License' })
  await expect(form.getByLabel('License number')).toHaveValue(license.number)
  await form.getByLabel('Name on the license').fill('Gabbys Greens')
  await form.getByLabel(/^Expires on/).fill(licenseDay(new Date()))
  await form.getByRole('button', { name: 'Verify license' }).click()
  await expect(form.getByText('The register has a different name for this license.', { exact: false })).toBeVisible()
  await expect(form.getByRole('button', { name: 'Add a PDF' })).toBeFocused()
  await expectAccessible(page)
  // The form can't be sent without the file that is being uploaded.
  const upload = await hold(page, '**/api/media')
  const file = { name: 'license.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') }
  await form.locator('input[type="file"]').setInputFiles(file)
  await expect(form.getByRole('button', { name: 'Uploading...' })).toBeVisible()
  await form.getByRole('button', { name: 'Cancel' }).click()
  upload()

  // A match with the public register is not enough.
  await form.getByLabel('Name on the license').fill('gabby’s green, llc')
  await form.getByRole('button', { name: 'Verify license' }).click()
  const proof = page.getByRole('form', { name: 'Proof' })
  await expect(proof.getByRole('heading', { name: 'Prove that you control this license' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Not verified yet' })).toBeVisible()
  await expect(proof.getByRole('radio', { name: 'A code by phone' })).toBeChecked()
  await expectAccessible(page)
  await proof.getByRole('radio', { name: 'The license as a PDF' }).check()
  await proof.getByRole('button', { name: 'Send for review' }).click()
  await expect(proof.getByText('Add the license as a PDF')).toBeVisible()
  await proof.getByRole('radio', { name: 'A code by phone' }).check()
  await proof.getByRole('button', { name: 'Request a call' }).click()
  await expect(page.getByRole('heading', { name: 'We’ll call you' })).toBeVisible()
  await expect(page.getByText(license.phone)).toBeVisible()

  const { page: desk } = await openAsAdmin(browser)
  await desk.goto('/admin?tab=claims')
  const call = desk.getByRole('article', { name: `License for ${license.name}` }).filter({ hasText: license.number })
  await expect(call.getByText('License proof')).toBeVisible()
  await expectAccessible(desk)
  const code = (await call.getByText(/^\d{6}$/).textContent()) ?? ''

  await page.getByRole('textbox', { name: 'Code' }).fill(String((Number(code) + 1) % 1_000_000).padStart(6, '0'))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText('This isn’t the code. 4 tries are left.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Code' }).fill(code)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('heading', { name: 'Your license is verified' })).toBeVisible()
  await expect(page.getByText('Expires today')).toBeVisible()
  await page.getByRole('link', { name: 'View page' }).click()
  const panel = page.getByRole('region', { name: 'License', exact: true })
  await expect(panel.getByText('License verified')).toBeVisible()
  // The badge is shown with its date, its source and the license's expiration date.
  await expect(panel).toContainText(license.number)
  await expect(panel).toContainText(/Checked\s*\w+ \d+, \d{4}/)
  await expect(panel).toContainText('The business entered a code sent to the contact in the register. Source: New York register,')
  await expect(panel).toContainText('according to the business')
  await expect(page.getByText('License verified')).toHaveCount(2)
})
