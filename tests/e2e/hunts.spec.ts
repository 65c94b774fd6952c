import { expect, test } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { hold } from './app.ts'
import { expectToast, joinByCall, newPerson } from './people.ts'

test('creates a hunt in one step, shares it with a partner who then sees it, and completes it', async ({ page, browser }) => {
  const partner = { ...newPerson(), firstName: 'Fern', lastName: 'Brook' }
  const theirs = await (await browser.newContext()).newPage()
  await joinByCall(theirs, partner)
  const { id: partnerId } = await (await theirs.request.get('/api/auth/user')).json()
  await joinByCall(page, { ...newPerson(), firstName: 'Olive', lastName: 'Grower' })
  await page.request.put(`/api/people/${partnerId}/follow`)

  await page.goto('/pheno-hunt')
  await expect(page.getByRole('heading', { name: 'Start Your First Pheno Hunt' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create Hunt' }).click()
  const form = page.getByRole('dialog', { name: 'New Hunt' })
  await form.getByLabel('Mother (or strain name)').fill('Zkit')
  await expect(form.getByRole('listbox')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(form.getByRole('listbox')).toBeHidden()
  await form.getByLabel('Mother (or strain name)').fill('Zkittlez')
  await form.getByLabel('Father', { exact: true }).fill('House cut')
  await expect(form.getByLabel('Hunt name')).toHaveValue('Zkittlez × House cut')
  await form.getByLabel('Seeds', { exact: true }).fill('12')
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Create Hunt' }).click()
  await expectToast(page, 'Hunt created', 'Zkittlez × House cut: #1 to #12')

  const card = page.getByRole('article', { name: 'Zkittlez × House cut' })
  await expect(page.getByText('1 Active')).toBeVisible()
  await expect(card.getByText('12 seeds')).toBeVisible()
  await expect(card.getByText('Private')).toBeVisible()
  await expect(page.getByText('12 seeds numbered')).toBeVisible()

  await card.getByRole('button', { name: 'More about Zkittlez × House cut' }).click()
  await page.getByRole('menuitem', { name: 'Share' }).click()
  const sharing = page.getByRole('dialog', { name: 'Share “Zkittlez × House cut”' })
  await sharing.getByLabel('Add a person').fill('fer')
  await sharing.getByRole('option', { name: 'Fern Brook' }).click()
  await expect(sharing.getByLabel('Access for Fern Brook')).toHaveValue('view')
  await expectAccessible(page)

  // Even on a slow network, the choice appears immediately, and the control keeps focus.
  const access = sharing.getByLabel('Access for Fern Brook')
  const letGo = await hold(page, '**/shares/**')
  await access.selectOption('write')
  await expect(access).toHaveValue('write')
  letGo()
  const isPublic = sharing.getByRole('switch', { name: 'Public' })
  const publish = await hold(page, '**/visibility')
  await isPublic.focus()
  await page.keyboard.press('Space')
  await expect(isPublic).toBeChecked()
  await expect(isPublic).toBeFocused()
  publish()
  await expect(page.getByText('The hunt is public').first()).toBeVisible()
  await sharing.getByRole('button', { name: 'Stop sharing with Fern Brook' }).click()
  await expect(sharing.getByText('Not shared with anyone.')).toBeVisible()
  await expect(sharing.getByLabel('Add a person')).toBeFocused()
  await isPublic.uncheck()
  await sharing.getByLabel('Add a person').fill('fer')
  await sharing.getByRole('option', { name: 'Fern Brook' }).click()
  await expect(access).toHaveValue('view')
  // Escape would close the toast, which is above the dialog.
  await sharing.getByRole('button', { name: 'Close' }).click()
  await expect(card.getByText('Shared with 1 person')).toBeVisible()

  await theirs.goto('/pheno-hunt')
  const shared = theirs.getByRole('article', { name: 'Zkittlez × House cut' })
  await expect(shared.getByText('Shared: can view · Olive Grower')).toBeVisible()
  await theirs
    .getByRole('banner')
    .getByRole('button', { name: /^Notifications/ })
    .click()
  await expect(theirs.getByRole('dialog', { name: 'Notifications' })).toContainText(
    'Olive Grower shared the hunt “Zkittlez × House cut” with you',
  )

  await card.getByRole('button', { name: 'More about Zkittlez × House cut' }).click()
  await page.getByRole('menuitem', { name: 'Complete' }).click()
  await expect(card.getByText('Completed', { exact: true }).first()).toBeVisible()
  await expect(page.getByText('0 Active')).toBeVisible()
  await theirs.context().close()
})
