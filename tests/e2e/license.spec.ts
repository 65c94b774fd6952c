import { expect } from '@playwright/test'
import { utcDate } from '../../contracts/age.ts'
import type { Business } from '../../contracts/businesses.ts'
import { expectAccessible } from './accessibility.ts'
import { test } from './members.ts'

/** Of the shipped register: without a place, so that it is nobody's listing. */
const license = { number: 'OCM-CAURD-2022-000234', name: 'Gabbys Green LLC', type: 'other', state: 'NY' }

test('an owner has the license verified by the register, and the page says so until the day is over', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Gabby', lastName: 'Green' })
  const answer = await page.request.post('/api/businesses', {
    data: { businessType: license.type, businessName: license.name, location: 'Albany, NY', licenseNumber: license.number },
  })
  const business = (await answer.json()) as Business
  await page.goto(`/business-dashboard/license?business=${business.slug}`)
  const form = page.getByRole('form', { name: 'License' })
  await expect(form.getByLabel('License number')).toHaveValue(license.number)
  await form.getByLabel('Name on the license').fill('Gabbys Greens')
  await form.getByLabel(/^Expires on/).fill(utcDate(new Date()))
  await form.getByRole('button', { name: 'Have it verified' }).click()
  await expect(form.getByText('The register has another name for this license.', { exact: false })).toBeVisible()
  await expect(form.getByRole('button', { name: 'Add a PDF' })).toBeFocused()
  await expectAccessible(page)

  await form.getByLabel('Name on the license').fill('gabby’s green, llc')
  await form.getByRole('button', { name: 'Have it verified' }).click()
  await expect(page.getByRole('heading', { name: 'Your license is verified' })).toBeVisible()
  await expect(page.getByText('Expires today')).toBeVisible()
  await page.getByRole('link', { name: 'View page' }).click()
  const panel = page.getByRole('region', { name: 'License', exact: true })
  await expect(panel.getByText('License verified')).toBeVisible()
  await expect(panel).toContainText(license.number)
  await expect(panel).toContainText('says the business')
  await expect(page.getByText('License verified')).toHaveCount(2)
})
