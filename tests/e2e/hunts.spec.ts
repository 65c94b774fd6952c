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

test('leads from the deletion of a hunt to its archive', async ({ page }) => {
  await joinByCall(page, newPerson())
  const answer = await page.request.post('/api/pheno-hunts', { data: { huntName: 'Winter tent', seedCount: 1 } })
  const { id } = (await answer.json()) as { id: string }
  await page.goto(`/pheno-hunt/${id}`)
  await page.getByRole('button', { name: 'More actions for Winter tent' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('link', { name: 'Export it first' }).click()
  await expect(page).toHaveURL(`/pheno-hunt/${id}?section=archive`)
  await expect(page.getByRole('alertdialog')).toBeHidden()
  await expect(page.getByRole('heading', { name: 'The whole hunt' })).toBeVisible()
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

test('moves focus to the next task when one is checked off or deleted', async ({ page }) => {
  await joinByCall(page, newPerson())
  const made = await page.request.post('/api/pheno-hunts', { data: { huntName: 'Lantern Kush', seedCount: 1 } })
  const { id } = (await made.json()) as { id: string }
  const dueOn = new Date().toISOString().slice(0, 10)
  for (const title of ['Water', 'Feed', 'Prune']) {
    expect((await page.request.post(`/api/pheno-hunts/${id}/tasks`, { data: { title, dueOn } })).status()).toBe(201)
  }
  await page.goto('/pheno-hunt')
  const done = (title: string) => page.getByRole('button', { name: `Done: ${title}` })
  const titles = page.getByRole('region', { name: 'To do' }).getByRole('button', { name: /^Done: / })
  await expect(titles).toHaveCount(3)
  const order = await titles.evaluateAll((buttons) =>
    buttons.map((button) => (button.getAttribute('aria-label') ?? '').slice('Done: '.length)),
  )
  const [first, second, third] = order as [string, string, string]
  await done(second).press('Enter')
  await expect(done(third)).toBeFocused()
  await page.getByRole('button', { name: `More actions for ${third}` }).press('Enter')
  await page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
  // The deleted task was the last one, so the task before it gets focus.
  await expect(done(first)).toBeFocused()
  await done(first).press('Enter')
  await expect(page.getByText(/^Nothing to do until/)).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
})

test('moves focus to the first plant of a walk and announces each one after it', async ({ page }) => {
  await joinByCall(page, newPerson())
  const made = await page.request.post('/api/pheno-hunts', { data: { huntName: 'Lantern Kush', seedCount: 3 } })
  const { id } = (await made.json()) as { id: string }
  const options = [1, 2].map((value) => ({ value, label: `Level ${value}` }))
  await page.request.post(`/api/pheno-hunts/${id}/traits`, { data: { name: 'Vigor', kind: 'ordinal', options } })
  await page.goto(`/pheno-hunt?tab=tracker&hunt=${id}`)
  await page.getByRole('button', { name: 'Score plants' }).click()
  await page.getByRole('button', { name: 'Score 3 plants' }).click()
  const walk = page.getByRole('dialog', { name: 'Vigor' })
  await expect(walk.locator('[data-walk-plant]')).toBeFocused()
  const status = walk.getByRole('status')
  await page.keyboard.press('2')
  await expect(status).toHaveText('Saved #1: 2 · Level 2. Plant #2. Not scored.')
  await walk.getByRole('button', { name: 'Next plant' }).click()
  await expect(status).toHaveText('Saved #1: 2 · Level 2. Plant #3. Not scored.')
  // Only the part that changed is announced, not the earlier score.
  await expect(status).toHaveAttribute('aria-atomic', 'false')
  await walk.getByRole('button', { name: 'Next plant' }).click()
  await expect(status).toHaveText('Saved #1: 2 · Level 2. Plant #1. Scored.')
  await walk.getByRole('button', { name: 'Undo' }).click()
  await expect(status).toHaveText('Undone. Plant #1. Not scored.')
})

test('closes only the open dialog when a person goes back on a phone', async ({ page, browser }) => {
  await joinByCall(page, newPerson())
  const made = await page.request.post('/api/pheno-hunts', { data: { huntName: 'Lantern Kush', seedCount: 1 } })
  const { id } = (await made.json()) as { id: string }
  for (const title of ['Water', 'Feed', 'Prune', 'Weigh', 'Label', 'Clean']) {
    await page.request.post(`/api/pheno-hunts/${id}/tasks`, { data: { title, dueOn: new Date().toISOString().slice(0, 10) } })
  }
  const phone = await browser.newContext({
    ...{ viewport: { width: 390, height: 500 }, hasTouch: true, isMobile: true, serviceWorkers: 'block' },
    storageState: await page.context().storageState(),
  })
  const screen = await phone.newPage()
  // Exposes the latest CloseWatcher, so that the test can simulate Android's Back button.
  await screen.addInitScript(() => {
    const { CloseWatcher } = window as unknown as { CloseWatcher: new () => { requestClose: () => void } }
    Object.assign(window, {
      CloseWatcher: class extends CloseWatcher {
        constructor() {
          super()
          Object.assign(window, { latestWatcher: this })
        }
      },
    })
  })
  const pressBackOnAndroid = () =>
    screen.evaluate(() => (window as unknown as { latestWatcher: { requestClose: () => void } }).latestWatcher.requestClose())
  await screen.goto('/pheno-hunt?tab=community')
  await screen.getByRole('tab', { name: 'Active Hunts' }).tap()
  await expect(screen).toHaveURL('/pheno-hunt')
  const more = screen.getByRole('button', { name: /^More actions for / }).last()
  const dialog = screen.getByRole('dialog', { name: 'Edit hunt' })
  const openDialog = async () => {
    await more.tap()
    await screen.getByRole('menuitem', { name: 'Edit' }).tap()
    await expect(dialog).toBeVisible()
  }
  for (const back of [() => screen.goBack(), pressBackOnAndroid, () => screen.goBack()]) {
    await openDialog()
    const scrolled = await screen.evaluate(() => scrollY)
    expect(scrolled).toBeGreaterThan(0)
    await back()
    await expect(dialog).toBeHidden()
    await expect(screen).toHaveURL('/pheno-hunt')
    await expect(more).toBeFocused()
    expect(await screen.evaluate(() => scrollY)).toBe(scrolled)
  }
  await screen.goBack()
  await expect(screen).toHaveURL('/pheno-hunt?tab=community')

  // The URL includes the dialog for a new hunt.
  await screen.goForward()
  await screen.getByRole('button', { name: 'New Hunt' }).tap()
  await expect(screen).toHaveURL('/pheno-hunt?new=true')
  await screen.goBack()
  await expect(screen.getByRole('dialog')).toBeHidden()
  await expect(screen).toHaveURL('/pheno-hunt')
  await screen.goBack()
  await expect(screen).toHaveURL('/pheno-hunt?tab=community')
  await phone.close()
})

test('keeps what was typed for a new hunt after a reload, and opens the details with an error', async ({ page }) => {
  await joinByCall(page, newPerson())
  await page.goto('/pheno-hunt?new=true')
  const form = page.getByRole('dialog', { name: 'New Hunt' })
  await form.getByLabel('Hunt name').fill('Winter tent')
  await form.getByText('More details').click()
  await form.getByLabel('Plant limit').fill('12 plants')
  await page.reload()
  await expect(form.getByLabel('Hunt name')).toHaveValue('Winter tent')
  await form.getByLabel('Mother (or strain name)').fill('Zkittlez')
  await expect(form.getByLabel('Hunt name')).toHaveValue('Winter tent')
  await form.getByLabel('Hunt name').fill('')
  await form.getByLabel('Father', { exact: true }).fill('Gelato')
  await expect(form.getByLabel('Hunt name')).toHaveValue('Zkittlez × Gelato')

  const limit = form.getByLabel('Plant limit')
  await expect(limit).toBeHidden()
  await form.getByRole('button', { name: 'Create Hunt' }).click()
  await expect(limit).toBeFocused()
  await expect(form.getByText('Must be a whole number')).toBeVisible()
})
