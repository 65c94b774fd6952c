import { expect } from '@playwright/test'
import type { Hunt } from '#contracts/hunts.ts'
import { expectAccessible } from './accessibility.ts'
import { appIsThere } from './app.ts'
import { builtFile } from './built-files.ts'
import { toastWith } from './directory.ts'
import { test } from './members.ts'

test('reports a dialog whose code is missing and keeps the screen and its input', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Ann', lastName: 'Gardener' })
  const hunt = (await (await page.request.post('/api/pheno-hunts', { data: { huntName: 'Terrace', seedCount: 4 } })).json()) as Hunt
  // Simulates a newer deployment.
  await page.route(`**${builtFile('screens/plants/bulk-dialogs.tsx')}`, (route) => route.fulfill({ status: 404 }))
  await page.goto(`/pheno-hunt/${hunt.id}?section=plants`)
  await appIsThere(page)
  const found = page.getByLabel('Find by number or label')
  await found.fill('2')
  const add = page.getByRole('button', { name: 'Add seeds' })
  const missing = toastWith(page, 'This couldn’t be opened')
  // Every click shows the error, not only the first.
  for (const _press of [1, 2]) {
    await add.click()
    await expect(missing).toBeVisible()
    await expect(page.getByRole('heading', { level: 1, name: 'Terrace' })).toBeVisible()
    await expect(found).toHaveValue('2')
    await expect(add).toBeFocused()
    await missing.getByRole('button', { name: 'Dismiss' }).click()
    await expect(missing).toHaveCount(0)
  }
  await expectAccessible(page)

  await page.getByRole('button', { name: /^More actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await expect(page.getByRole('dialog').getByLabel('Hunt name')).toHaveValue('Terrace')
})
