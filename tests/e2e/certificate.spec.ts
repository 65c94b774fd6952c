import { expect, test } from '@playwright/test'
import { certificateLayouts, pictureOnly } from '#tests/support/certificate-files.ts'
import { expectAccessible } from './accessibility.ts'
import { joinByCall, newPerson } from './people.ts'

test('saves the results of a lab certificate after a preview, and undoes the save', async ({ page }) => {
  await joinByCall(page, newPerson())
  const made = await page.request.post('/api/pheno-hunts', { data: { huntName: 'Sunrise Haze', seedCount: 8 } })
  const { id } = (await made.json()) as { id: string }
  const trait = {
    name: 'Potency',
    kind: 'number',
    source: 'lab',
    analyte: 'THC',
    unit: '%',
    direction: 'max',
    low: 10,
    high: 30,
    weight: 10,
  }
  expect((await page.request.post(`/api/pheno-hunts/${id}/traits`, { data: trait })).status()).toBe(201)
  const saved = async () => ((await (await page.request.get(`/api/pheno-hunts/${id}/lab-results`)).json()) as object[]).length

  await page.goto(`/pheno-hunt?hunt=${id}`)
  await page.getByRole('tab', { name: 'Data Tracker' }).click()
  await page.getByRole('button', { name: 'Lab results' }).click()
  const file = page.getByLabel('Lab certificate')
  await file.setInputFiles({ name: 'scan.pdf', mimeType: 'application/pdf', buffer: await pictureOnly() })
  await expect(page.getByText('This PDF is a picture without text')).toBeVisible()

  const layout = certificateLayouts['units below the header and a summary beside it']
  const pdf = (await layout?.('Sunrise Haze #7')) as Buffer
  await file.setInputFiles({ name: 'coa.pdf', mimeType: 'application/pdf', buffer: pdf })
  const preview = page.getByRole('region', { name: 'Results in coa.pdf' })
  await expect(preview).toContainText('Found 11 results for 1 sample.')
  await expect(preview.getByLabel('Plant').locator('option:checked')).toHaveText('#7')
  await expect(preview.getByLabel('Tested on')).toHaveValue('2026-11-06')
  await expect(preview.getByLabel('Lab', { exact: true })).toHaveValue('Bayside Laboratory')
  await expect(preview.getByRole('listitem').filter({ hasText: 'Total THC' })).toContainText('Counts for Potency. Saved as THC')
  await expectAccessible(page)
  expect(await saved()).toBe(0)

  await preview.getByRole('checkbox', { name: 'CBGA' }).uncheck()
  await preview.getByRole('button', { name: 'Save 10 results' }).click()
  const done = page.getByRole('status').filter({ hasText: 'Saved 10 results for 1 plant from coa.pdf.' })
  await expect(done).toBeVisible()
  expect(await saved()).toBe(10)

  // Reading the file again finds only the result that was left out.
  await file.setInputFiles({ name: 'again.pdf', mimeType: 'application/pdf', buffer: pdf })
  await expect(page.getByRole('button', { name: 'Save 1 result', exact: true })).toBeVisible()
  await expect(page.getByText('Already saved for this plant, lab and day').first()).toBeVisible()
  await page.getByRole('button', { name: 'Save 1 result', exact: true }).click()
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
  await expect.poll(saved).toBe(10)
})
