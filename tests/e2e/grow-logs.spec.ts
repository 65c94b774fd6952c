import { expect, type Page } from '@playwright/test'
import type { GrowLog } from '#contracts/grow-logs.ts'
import type { Hunt } from '#contracts/hunts.ts'
import { expectAccessible } from './accessibility.ts'
import { test } from './members.ts'

test.use({ viewport: { width: 834, height: 1100 } })

const photo = {
  name: 'bud.png',
  mimeType: 'image/png',
  buffer: Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPj/HwADBwIAMCbHYQAAAABJRU5ErkJggg==', 'base64'),
}

async function newHunt(page: Page): Promise<Hunt> {
  const answer = await page.request.post('/api/pheno-hunts', {
    data: { huntName: 'Lantern Kush F2', seedCount: 4, germinationDate: new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10) },
  })
  expect(answer.status(), await answer.text()).toBe(201)
  return (await answer.json()) as Hunt
}

const logsOf = async (page: Page, huntId: string): Promise<GrowLog[]> =>
  (await (await page.request.get(`/api/grow-logs?huntId=${huntId}`)).json()) as GrowLog[]

const log = (page: Page, name: string) => page.getByRole('article', { name: new RegExp(`^Log for ${name},`) })

test('logs two plants, one with a photo, corrects a log, and pastes the remaining logs', async ({ newMember }) => {
  test.setTimeout(90_000)
  const { page } = await newMember({ firstName: 'Ines', lastName: 'Falk' })
  const hunt = await newHunt(page)
  await page.goto(`/pheno-hunt?tab=logs&hunt=${hunt.id}`)
  await expect(page.getByText('No logs yet')).toBeVisible()

  await page.getByLabel('Height (cm)').fill('41')
  await page.getByRole('button', { name: 'Rating 7 of 10' }).click()
  await page.getByLabel('Choose photos').setInputFiles(photo)
  await page.getByRole('button', { name: 'Save and next plant' }).click()
  await expect(page.getByText('Saved #1. Next: #2')).toBeVisible()
  await page.getByRole('button', { name: 'Increase height' }).click()
  await page.getByRole('button', { name: 'Rating 9 of 10' }).click()
  await page.getByLabel('Notes').fill('Smells of lemon')
  await page.getByRole('button', { name: 'Save and next plant' }).click()
  await expect(page.getByText('Saved #2. Next: #3')).toBeVisible()
  await expect(log(page, '#1')).toContainText('41 cm')
  await expect(log(page, '#1').getByRole('list', { name: 'Photos from the log for #1' }).getByRole('button')).toHaveCount(1)
  await expect(log(page, '#2')).toContainText('Smells of lemon')

  await log(page, '#1')
    .getByRole('button', { name: /^Actions/ })
    .click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit log for #1' })
  await dialog.getByLabel('Height (cm)').fill('44')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await expect(log(page, '#1')).toContainText('44 cm')
  await expect(log(page, '#1')).toContainText('Edited')
  await log(page, '#1')
    .getByRole('button', { name: /^Actions/ })
    .click()
  await page.getByRole('menuitem', { name: 'History' }).click()
  const history = page.getByRole('dialog', { name: 'History of #1' })
  await expect(history).toContainText('Height was 41 cm, now 44 cm')
  await expect(history.locator(':focus')).toBeAttached()
  await page.keyboard.press('Escape')
  await expect(history).toBeHidden()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Bulk entry' }).click()
  await page.locator('[data-cell="2:1"]').click()
  await page.evaluate(() => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', '38,5\t6\tShort\r\n52\televen\tTall\r\n')
    document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  await page.getByRole('button', { name: 'Save 2 logs' }).click()
  await expect(page.locator('[data-cell="3:2"]')).toHaveAttribute('aria-invalid', 'true')
  await page.locator('[data-cell="3:2"]').click()
  await page.keyboard.type('10')
  await page.keyboard.press('Enter')
  await expectAccessible(page, ['light'])
  await page.getByRole('button', { name: 'Save 2 logs' }).click()
  await expect(log(page, '#4')).toContainText('10 / 10')

  await expect(async () => {
    const logs = await logsOf(page, hunt.id)
    const said = logs.map(({ plant, week, heightCm, rating, photos }) => [plant?.number, week, heightCm, rating, photos.length])
    expect(said.sort()).toEqual([
      [1, 5, 44, 7, 1],
      [2, 5, 1, 9, 0],
      [3, 5, 38.5, 6, 0],
      [4, 5, 52, 10, 0],
    ])
  }).toPass()
})

test('saves the logs of a bulk entry only once when the button is clicked twice', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Ines', lastName: 'Falk' })
  const hunt = await newHunt(page)
  await page.goto(`/pheno-hunt?tab=logs&hunt=${hunt.id}`)
  await page.getByRole('button', { name: 'Bulk entry' }).click()
  await page.locator('[data-cell="0:1"]').click()
  await page.keyboard.type('7')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Save 1 log' }).dblclick()
  await expect(log(page, '#1')).toContainText('7 cm')
  await expect(page.getByRole('button', { name: 'Synced' })).toBeVisible()
  expect(await logsOf(page, hunt.id)).toHaveLength(1)
})

test('hides only empty columns of a bulk entry', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Ines', lastName: 'Falk' })
  const hunt = await newHunt(page)
  await page.goto(`/pheno-hunt?tab=logs&hunt=${hunt.id}`)
  await page.getByRole('button', { name: 'Bulk entry' }).click()
  await page.getByRole('button', { name: 'All columns' }).click()
  await page.getByRole('gridcell', { name: '#2, Humidity (%): empty' }).click()
  await page.keyboard.type('61')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Fewer columns' }).click()
  await expect(page.getByRole('columnheader', { name: 'PPFD' })).toBeHidden()
  await page.getByRole('gridcell', { name: '#2, Humidity (%): 61' }).click()
  await page.keyboard.press('Delete')
  await expect(page.getByRole('gridcell', { name: '#2, Humidity (%): empty' })).toBeFocused()
})

test('keeps an unsaved bulk entry, with its day and columns, until it is saved', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Ines', lastName: 'Falk' })
  const hunt = await newHunt(page)
  const day = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10)
  const bulkEntry = page.getByRole('button', { name: 'Bulk entry' })
  await page.goto(`/pheno-hunt?tab=logs&hunt=${hunt.id}`)
  await bulkEntry.click()
  await page.getByLabel('Day').fill(day)
  await page.getByRole('button', { name: 'All columns' }).click()
  await page.getByRole('gridcell', { name: '#2, Humidity (%): empty' }).click()
  await page.keyboard.type('61')
  await page.keyboard.press('Enter')
  await page.reload()
  await bulkEntry.click()
  await expect(page.getByLabel('Day')).toHaveValue(day)
  await expect(page.getByRole('gridcell', { name: '#2, Humidity (%): 61' })).toBeVisible()
  // Numbers typed in one unit aren't read in another.
  await page.getByRole('button', { name: '°C' }).click()
  await expect(page.getByText('Empty rows aren’t saved.')).toBeVisible()
  await page.getByRole('button', { name: '°F' }).click()
  await page.getByRole('button', { name: 'Save 1 log' }).click()
  await expect(log(page, '#2')).toContainText('61')
  await page.reload()
  await bulkEntry.click()
  await expect(page.getByText('Empty rows aren’t saved.')).toBeVisible()
})

test('keeps the save confirmation in view on a phone until another plant is chosen, and explains why heights without a week aren’t plotted', async ({
  newMember,
}) => {
  const { page } = await newMember({ firstName: 'Ines', lastName: 'Falk' })
  await page.setViewportSize({ width: 390, height: 844 })
  const made = await page.request.post('/api/pheno-hunts', { data: { huntName: 'Undated', seedCount: 3 } })
  const { id } = (await made.json()) as Hunt
  await page.goto(`/pheno-hunt?tab=logs&hunt=${id}`)
  await page.getByLabel('Height (cm)').fill('41')
  await page.getByRole('button', { name: 'Save and next plant' }).click()
  await expect(page.getByText('Saved #1. Next: #2')).toBeInViewport()
  await page.getByRole('button', { name: 'Next plant', exact: true }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Plant #3' })).toBeAttached()
  await expect(page.getByText('Saved #1. Next: #2')).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Nothing to plot by week' })).toBeVisible()
  await expect(page.getByText('Nothing measured yet')).toBeHidden()
})

test('zooms a photo with two fingers, and then pans it instead of showing the next photo', async ({ newMember }) => {
  const { page: desk } = await newMember({ firstName: 'Ines', lastName: 'Falk' })
  const hunt = await newHunt(desk)
  const phone = await desk
    .context()
    .browser()
    ?.newContext({
      ...{ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, reducedMotion: 'reduce' },
      ...{ serviceWorkers: 'block', storageState: await desk.context().storageState() },
    })
  if (!phone) throw new Error('The page has no browser')
  const page = await phone.newPage()
  await page.goto(`/pheno-hunt?tab=logs&hunt=${hunt.id}`)
  await page.getByLabel('Choose photos').setInputFiles([photo, { ...photo, name: 'trichomes.png' }])
  await page.getByRole('button', { name: 'Save and next plant' }).tap()
  await log(page, '#1').getByRole('list', { name: 'Photos from the log for #1' }).getByRole('button').first().tap({ timeout: 30_000 })
  const viewer = page.getByRole('dialog')
  const position = viewer.getByRole('status')
  await expect(position).toHaveText('1 of 2')
  const client = await phone.newCDPSession(page)
  async function drag(fingersAt: (step: number) => { x: number; y: number; id: number }[]) {
    await client.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: fingersAt(0) })
    for (let step = 1; step <= 10; step++) {
      await client.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: fingersAt(step) })
    }
    await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  }
  const swipe = () => drag((step) => [{ x: 300 - 20 * step, y: 400, id: 0 }])
  await swipe()
  await expect(position).toHaveText('2 of 2')
  await drag((step) => [360 - 10 * step, 440 + 10 * step].map((y, id) => ({ x: 195, y, id })))
  await expect.poll(() => page.evaluate(() => visualViewport?.scale ?? 0)).toBeGreaterThan(1.5)
  await swipe()
  await expect(position).toHaveText('2 of 2')
  await phone.close()
})

test('focuses the error that blocks a save on a phone, and keeps its section open while it is fixed', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Ines', lastName: 'Falk' })
  await page.setViewportSize({ width: 390, height: 844 })
  const hunt = await newHunt(page)
  await page.goto(`/pheno-hunt?tab=logs&hunt=${hunt.id}`)
  const save = page.getByRole('button', { name: 'Save and next plant' })
  const height = page.getByLabel('Height (cm)')
  await save.click()
  await expect(height).toBeFocused()
  await expect(page.getByText('Enter a height, rating, note or photo first')).toBeInViewport()

  await page.getByText('Environment, feed and training').click()
  const humidity = page.getByLabel('Humidity (%)')
  await humidity.fill('damp')
  await save.click()
  await expect(humidity).toBeFocused()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('62')
  await expect(humidity).toHaveValue('62')
  await expect(humidity).toBeVisible()
  await save.click()
  await expect(log(page, '#1')).toBeVisible()

  await log(page, '#1')
    .getByRole('button', { name: /^Actions/ })
    .click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit log for #1' })
  await dialog.getByLabel('Height (cm)').fill('tall')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByLabel('Height (cm)')).toBeFocused()
})

test('keeps a log’s photos across tabs, and moves focus when one is removed', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Ines', lastName: 'Falk' })
  const hunt = await newHunt(page)
  await page.goto(`/pheno-hunt?tab=logs&hunt=${hunt.id}`)
  const choose = page.getByLabel('Choose photos')
  const named = (name: string) => ({ ...photo, name })
  await choose.setInputFiles(['a.png', 'b.png', 'c.png'].map(named))
  await page.getByRole('tab', { name: 'Active Hunts' }).click()
  await expect(page.getByRole('article', { name: hunt.huntName })).toBeVisible()
  await page.getByRole('tab', { name: 'Grow Logs' }).click()
  const remove = page.getByRole('button', { name: /^Remove .\.png$/ })
  await expect(remove).toHaveCount(3)
  await page.getByRole('button', { name: 'Remove b.png' }).click()
  await expect(page.getByRole('button', { name: 'Remove c.png' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Photo', exact: true })).toBeFocused()

  const many = Array.from({ length: 10 }, (_, nth) => named(`more ${nth}.png`))
  await choose.setInputFiles([{ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('x') }, ...many])
  await expect(page.getByText('2 files were not added').first()).toBeVisible()
  await expect(page.getByText(/A log can have up to 10 photos\./).first()).toBeVisible()
  await page.getByRole('button', { name: 'Save and next plant' }).click()
  const photos = log(page, '#1').getByRole('list', { name: 'Photos from the log for #1' }).getByRole('button')
  await expect(photos).toHaveCount(10)
  await expect(page.getByRole('button', { name: /^Remove / })).toHaveCount(0)
  await photos.first().click()
  // A dialog listens for Escape once it has focus.
  await expect(page.getByRole('dialog', { name: 'Photos from the log for #1' }).getByRole('button', { name: 'Close' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(photos.first()).toBeFocused()

  await log(page, '#1')
    .getByRole('button', { name: /^Actions/ })
    .click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await page.getByRole('button', { name: 'Remove photo 10' }).click()
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Photo', exact: true })).toBeFocused()
})

test('accepts a typed date, and restores the last one when the field is left empty', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Ines', lastName: 'Falk' })
  const hunt = await newHunt(page)
  await page.goto(`/pheno-hunt?tab=logs&hunt=${hunt.id}`)
  const form = page.getByRole('region', { name: 'Quick Log' })
  const day = form.getByLabel('Day', { exact: true })
  await day.focus()
  // After “100” is typed, the day is 0, so the field has no date yet.
  await page.keyboard.type('10052025')
  await expect(day).toHaveValue('2025-10-05')
  await page.keyboard.press('Backspace')
  await expect(day).toHaveValue('')
  await form.getByLabel('Week', { exact: true }).focus()
  await expect(day).toHaveValue('2025-10-05')
})

test('edits a log again on top of a change that hasn’t been sent', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Ines', lastName: 'Falk' })
  const hunt = await newHunt(page)
  await page.goto(`/pheno-hunt?tab=logs&hunt=${hunt.id}`)
  await page.getByLabel('Height (cm)').fill('40')
  await page.getByRole('button', { name: 'Save and next plant' }).click()
  await expect(log(page, '#1')).toContainText('40 cm')
  await expect(page.getByRole('button', { name: 'Synced' })).toBeVisible()
  const edit = page.getByRole('dialog', { name: 'Edit log for #1' })
  const openEdit = async () => {
    await log(page, '#1')
      .getByRole('button', { name: /^Actions/ })
      .click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
  }

  await page.context().setOffline(true)
  await openEdit()
  await edit.getByLabel('Height (cm)').fill('44')
  await edit.getByLabel('Choose photos').setInputFiles(photo)
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(log(page, '#1')).toContainText('44 cm')
  await openEdit()
  await expect(edit.getByLabel('Height (cm)')).toHaveValue('44')
  await expect(edit.getByText('You can change the photos once your last change has been sent.')).toBeVisible()
  await edit.getByLabel('Notes').fill('Stretching')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(log(page, '#1')).toContainText('44 cm')
  await expect(log(page, '#1')).toContainText('Stretching')

  await page.context().setOffline(false)
  await expect(page.getByRole('button', { name: 'Synced' })).toBeVisible({ timeout: 30_000 })
  const [saved] = await logsOf(page, hunt.id)
  expect(saved).toMatchObject({ heightCm: 44, notes: 'Stretching', photos: [{ kind: 'image' }] })
})

test('dates an entry today if the page stayed open overnight, and converts it to other units', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Ines', lastName: 'Falk' })
  const hunt = await newHunt(page)
  await page.clock.install()
  await page.goto(`/pheno-hunt?tab=logs&hunt=${hunt.id}`)
  const localDay = () => page.evaluate(() => new Date().toLocaleDateString('sv'))
  await expect(page.getByLabel('Day')).toHaveValue(await localDay())
  await page.getByLabel('Height (cm)').fill('41')
  await page.clock.fastForward('24:00:00')
  await expect(page.getByLabel('Day')).toHaveValue(await localDay())
  await page.getByRole('button', { name: 'in', exact: true }).click()
  await expect(page.getByLabel('Height (in)')).toHaveValue('16.1')
})

test('keeps an entry for the whole hunt across tabs and reloads', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Ines', lastName: 'Falk' })
  const hunt = await newHunt(page)
  await page.goto(`/pheno-hunt?tab=logs&hunt=${hunt.id}`)
  await page.getByRole('button', { name: /^Plant #1/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Whole hunt' }).click()
  await page.getByLabel('Notes').fill('Changed the reservoir')
  await page.getByRole('tab', { name: 'Community' }).click()
  await page.getByRole('tab', { name: 'Grow Logs' }).click()
  await expect(page.getByRole('button', { name: /^Plant Whole hunt/ })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: /^Plant Whole hunt/ })).toBeVisible()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Saved the whole hunt. Next: #1')).toBeVisible()
  await expect(log(page, 'Whole hunt')).toContainText('Changed the reservoir')
})
