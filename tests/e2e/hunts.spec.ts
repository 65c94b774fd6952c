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

  await card.getByRole('button', { name: 'More actions for Zkittlez × House cut' }).click()
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

  await card.getByRole('button', { name: 'More actions for Zkittlez × House cut' }).click()
  await page.getByRole('menuitem', { name: 'Complete' }).click()
  await expect(card.getByText('Completed', { exact: true }).first()).toBeVisible()
  await expect(page.getByText('0 Active')).toBeVisible()
  await theirs.context().close()
})

test('opens Quick Log for the chosen hunt even if it isn’t among the 50 newest', async ({ page }) => {
  await joinByCall(page, newPerson())
  const create = async (huntName: string) => {
    const answer = await page.request.post('/api/pheno-hunts', { data: { huntName, seedCount: 1 } })
    expect(answer.status(), await answer.text()).toBe(201)
    return ((await answer.json()) as { id: string }).id
  }
  const id = await create('The first one')
  for (let group = 0; group < 5; group++) await Promise.all(Array.from({ length: 10 }, (_, index) => create(`Later ${group}${index}`)))

  await page.goto(`/pheno-hunt/${id}`)
  await page.getByRole('link', { name: 'Quick Log' }).first().click()
  await expect(page.getByLabel('Hunt', { exact: true })).toHaveValue(id)
})

test('brings back a task that was deleted by mistake', async ({ page }) => {
  await joinByCall(page, newPerson())
  const made = await page.request.post('/api/pheno-hunts', { data: { huntName: 'Lantern Kush', seedCount: 1 } })
  const { id } = (await made.json()) as { id: string }
  const dueOn = new Date().toISOString().slice(0, 10)
  const task = { title: 'Top the mothers', dueOn }
  expect((await page.request.post(`/api/pheno-hunts/${id}/tasks`, { data: task })).status()).toBe(201)

  await page.goto('/pheno-hunt')
  const done = page.getByRole('button', { name: `Done: ${task.title}` })
  await page.getByRole('button', { name: `More actions for ${task.title}` }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(done).toBeHidden()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(done).toBeVisible()
  await page.reload()
  await expect(done).toBeVisible()
})

test('keeps the typed name of a new hunt when its cross is entered after a reload', async ({ page }) => {
  await joinByCall(page, newPerson())
  await page.goto('/pheno-hunt?new=true')
  const form = page.getByRole('dialog', { name: 'New Hunt' })
  await form.getByLabel('Hunt name').fill('Winter tent')
  await page.reload()
  await expect(form.getByLabel('Hunt name')).toHaveValue('Winter tent')
  await form.getByLabel('Mother (or strain name)').fill('Zkittlez')
  await expect(form.getByLabel('Hunt name')).toHaveValue('Winter tent')
  await form.getByLabel('Hunt name').fill('')
  await form.getByLabel('Father', { exact: true }).fill('Gelato')
  await expect(form.getByLabel('Hunt name')).toHaveValue('Zkittlez × Gelato')
})
