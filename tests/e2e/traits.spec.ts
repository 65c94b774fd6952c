import { expect, type Page, test } from '@playwright/test'
import type { TraitRecords } from '#contracts/observations.endpoints.ts'
import { traitRecordsOf } from '#contracts/trait-records.ts'
import { expectAccessible } from './accessibility.ts'
import { hold } from './app.ts'
import { joinByCall, newPerson } from './people.ts'

test('adds the standard traits, scores them in a walk and in a table, and labels a correction', async ({ page }) => {
  test.slow()
  await joinByCall(page, { ...newPerson(), firstName: 'Olive', lastName: 'Grower' })
  const made = await page.request.post('/api/pheno-hunts', { data: { huntName: 'Zkittlez × House cut', seedCount: 4 } })
  expect(made.status(), await made.text()).toBe(201)
  const { id } = await made.json()

  await page.goto(`/pheno-hunt?tab=tracker&hunt=${id}`)
  await expect(page.getByRole('heading', { name: 'Nothing measured yet' })).toBeVisible()
  await page.getByRole('button', { name: 'Start with a standard set' }).click()
  const set = page.getByRole('dialog', { name: 'Start with a standard set' })
  // Less common traits are off by default.
  await expect(set.getByRole('checkbox', { name: 'Internode' })).not.toBeChecked()
  await set.getByRole('button', { name: /^Add \d+ traits$/ }).click()
  await expect(set).toBeHidden()

  await page.getByRole('button', { name: 'Score plants' }).click()
  await page.getByRole('button', { name: 'Score 4 plants' }).click()
  const walk = page.getByRole('dialog', { name: 'Vigor' })
  const plantNow = walk.locator('[data-walk-plant]')
  for (const [plant, anchor] of [
    ['#1', '4 Ahead of most'],
    ['#2', '2 Behind its siblings'],
    ['#3', '5 Outgrows all'],
  ] as const) {
    await expect(plantNow).toHaveText(plant)
    await walk.getByRole('button', { name: anchor }).click()
    await expect(walk.getByText(`Saved ${plant}: ${anchor.replace(' ', ' · ')}.`)).toBeVisible()
  }
  await page.keyboard.press('1')
  await expect(walk.getByText('All 4 plants have been scored for Vigor.')).toBeVisible()
  await walk.getByRole('button', { name: 'Undo' }).click()
  await expect(walk.getByText('Undone.')).toBeVisible()
  await expect(plantNow).toHaveText('#4')
  await expect(walk.getByText('3 of 4 scored')).toBeVisible()
  await walk.getByRole('button', { name: 'Close' }).click()
  await expect(cell(page, '#3, Vigor: 5, 100% desirable')).toBeVisible()

  await page.getByRole('button', { name: 'Score table' }).click()
  const table = page.getByRole('grid', { name: /^Scores from/ })
  await table.getByRole('gridcell', { name: '#1, Rooting days: empty' }).click()
  await paste(page, '9\n12\nsoon\n8 days')
  await page.getByRole('button', { name: 'Save 4 plants' }).click()
  // The invalid row remains, with its error.
  await expect(page.getByText('#3, Rooting days: Enter a number in days')).toBeVisible()
  await expect(table.getByRole('gridcell', { name: '#3, Rooting days: soon' })).toBeVisible()
  await expect(table.getByRole('gridcell', { name: '#1, Rooting days: empty' })).toBeVisible()
  await page.reload()
  await page.getByRole('button', { name: 'Score table' }).click()
  await expect(table.getByRole('gridcell', { name: '#3, Rooting days: soon' })).toBeVisible()
  await expect(cell(page, '#4, Rooting days: 8 days, 86% desirable')).toBeVisible()
  await expect(cell(page, '#3, Rooting days: not measured')).toBeVisible()

  await cell(page, '#1, Vigor: 4, 75% desirable').click()
  const sheet = page.getByRole('dialog', { name: 'Vigor of #1' })
  await sheet.getByRole('button', { name: 'Correct' }).click()
  await sheet.getByRole('button', { name: '3 Like most' }).click()
  await sheet.getByLabel('Reason').fill('Misread the label')
  await sheet.getByRole('button', { name: 'Save correction' }).click()
  await expect(sheet.getByText('#1: 3 · Like most')).toBeVisible()
  await expect(sheet.getByText('Corrects 4 · Ahead of most')).toBeVisible()
  await expect(sheet.getByText('Misread the label')).toBeVisible()
  await expectAccessible(page)
  // Escape would close a toast that is still open.
  await sheet.getByRole('button', { name: 'Close' }).click()
  await expect(cell(page, '#1, Vigor: 3, 50% desirable')).toBeVisible()
  await cell(page, '#3, Rooting days: not measured').click()
  const empty = page.getByRole('dialog', { name: 'Rooting days of #3' })
  await empty.getByRole('button', { name: 'Add a value' }).click()
  await empty.getByRole('button', { name: 'Save value' }).click()
  await expect(empty.getByLabel('Rooting days')).toBeFocused()
  await expect(empty.getByLabel('Rooting days')).toHaveAccessibleDescription('Enter a value')
  await empty.getByRole('button', { name: 'Close' }).click()
  await expectAccessible(page)

  // The server has stored every number.
  await expect(page.getByRole('button', { name: 'Synced' })).toBeVisible()
  const answer = await page.request.get(`/api/pheno-hunts/${id}/trait-records`)
  const numbers = traitRecordsOf((await answer.json()) as TraitRecords).map(({ number }) => number)
  expect(numbers.toSorted()).toEqual([3, 2, 5, 9, 12, 8].toSorted())
})

test('scores only one plant when an option is tapped twice or its key is held', async ({ page }) => {
  await joinByCall(page, newPerson())
  const made = await page.request.post('/api/pheno-hunts', { data: { huntName: 'Zkittlez × House cut', seedCount: 4 } })
  const { id } = await made.json()
  const options = [1, 2, 3].map((value) => ({ value, label: `Level ${value}` }))
  await page.request.post(`/api/pheno-hunts/${id}/traits`, { data: { name: 'Vigor', kind: 'ordinal', options } })

  await page.goto(`/pheno-hunt?tab=tracker&hunt=${id}`)
  await page.getByRole('button', { name: 'Score plants' }).click()
  await page.getByRole('button', { name: 'Score 4 plants' }).click()
  const walk = page.getByRole('dialog', { name: 'Vigor' })
  const plantNow = walk.locator('[data-walk-plant]')
  const option = walk.getByRole('button', { name: '2 Level 2' })
  await expect(plantNow).toHaveText('#1')
  await option.dblclick()
  await expect(walk.getByText('Saved #1: 2 · Level 2.')).toBeVisible()
  await expect(plantNow).toHaveText('#2')

  // The second click comes as soon as the next plant is shown.
  await option.evaluate((button: HTMLElement) => {
    const plant = document.querySelector('[data-walk-plant]') as HTMLElement
    new MutationObserver((_changes, observer) => {
      observer.disconnect()
      button.click()
    }).observe(plant, { characterData: true, childList: true, subtree: true })
  })
  await option.click()
  await expect(plantNow).toHaveText('#3')
  await expect(option).toBeEnabled()

  await page.keyboard.down('3')
  await expect(plantNow).toHaveText('#4')
  await page.keyboard.down('3')
  await page.keyboard.up('3')
  await page.keyboard.press('1')
  await expect(walk.getByText('Saved #4: 1 · Level 1.')).toBeVisible()

  await walk.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('button', { name: 'Synced' })).toBeVisible()
  const answer = await page.request.get(`/api/pheno-hunts/${id}/observations?limit=100`)
  const observations = (await answer.json()) as { number: number }[]
  expect(observations.map(({ number }) => number).toSorted()).toEqual([1, 2, 2, 3])
})

test('keeps focus on the button that moves a trait', async ({ page }) => {
  await joinByCall(page, newPerson())
  const made = await page.request.post('/api/pheno-hunts', { data: { huntName: 'Zkittlez × House cut', seedCount: 1 } })
  const { id } = await made.json()
  for (const name of ['Aroma', 'Bulk', 'Color', 'Density']) {
    const trait = await page.request.post(`/api/pheno-hunts/${id}/traits`, { data: { name, kind: 'number' } })
    expect(trait.status(), await trait.text()).toBe(201)
  }
  await page.goto(`/pheno-hunt?tab=tracker&hunt=${id}`)
  await page.getByRole('button', { name: 'Traits', exact: true }).click()
  const names = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: /^Move / }) })
  for (const [move, order] of [
    ['Move Color up', ['Aroma', 'Color', 'Bulk', 'Density']],
    ['Move Color down', ['Aroma', 'Bulk', 'Color', 'Density']],
  ] as const) {
    const release = await hold(page, '**/trait-order')
    const button = page.getByRole('button', { name: move })
    await button.click()
    await expect(button).toHaveAttribute('aria-disabled', 'true')
    await expect(button).toBeFocused()
    release()
    await expect(names).toContainText([...order])
    await expect(button).toBeFocused()
    await page.unroute('**/trait-order')
  }
})

test('shows every row of a long matrix, with working keys and sorting and a single tab stop', async ({ page }) => {
  await joinByCall(page, { ...newPerson(), firstName: 'Olive', lastName: 'Grower' })
  const made = await page.request.post('/api/pheno-hunts', { data: { huntName: 'Long matrix', seedCount: 120 } })
  expect(made.status(), await made.text()).toBe(201)
  await page.goto(`/pheno-hunt?tab=tracker&hunt=${(await made.json()).id}`)
  await page.getByRole('button', { name: 'Start with a standard set' }).click()
  const set = page.getByRole('dialog', { name: 'Start with a standard set' })
  await set.getByRole('button', { name: /^Add \d+ traits$/ }).click()
  await expect(set).toBeHidden()

  await page.getByRole('button', { name: 'Score plants' }).click()
  await page.getByRole('button', { name: 'Score 120 plants' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '4 Ahead of most' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()

  const grid = page.getByRole('grid', { name: 'Trait matrix' })
  await expect(cell(page, '#1, Vigor: 4, 75% desirable')).toBeVisible()
  await grid.getByRole('rowheader', { name: '#1', exact: true }).focus()
  await page.keyboard.press('Control+End')
  await expect(grid.locator('[data-place]:focus')).toHaveAccessibleName(/^#120, .+: not measured$/)
  await page.keyboard.press('Control+Home')
  await expect(grid.getByRole('rowheader', { name: '#1', exact: true })).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  const head = grid.locator('[role="columnheader"]:focus')
  await expect(head).toHaveAttribute('aria-sort', /ending$/)
  // All rows exist, even though few are in view.
  await expect(grid.getByRole('rowheader')).toHaveCount(120)
  const traits = (await grid.getByRole('columnheader').count()) - 1
  await expect(grid.getByRole('gridcell')).toHaveCount(120 * traits)
  await expect(grid.locator('[tabindex="0"]')).toHaveCount(1)
})

const cell = (page: Page, name: string) => page.getByRole('grid', { name: 'Trait matrix' }).getByRole('gridcell', { name, exact: true })

const paste = (page: Page, text: string) =>
  page.evaluate((given) => {
    const data = new DataTransfer()
    data.setData('text/plain', given)
    document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  }, text)

test('archives a trait on the second attempt after someone else changed it', async ({ page }) => {
  await joinByCall(page, newPerson())
  const made = await page.request.post('/api/pheno-hunts', { data: { huntName: 'Lemon × House cut', seedCount: 2 } })
  const { id } = (await made.json()) as { id: string }
  const added = await page.request.post(`/api/pheno-hunts/${id}/traits`, {
    data: { name: 'Height', kind: 'number', unit: 'cm', direction: 'none', id: '01a2281a-0000-7000-8000-000000000001' },
  })
  expect(added.status(), await added.text()).toBe(201)
  const trait = (await added.json()) as { id: string; version: number }
  await page.goto(`/pheno-hunt?tab=tracker&hunt=${id}`)
  await page.getByRole('button', { name: 'Traits', exact: true }).click()
  const archive = page.getByRole('button', { name: 'Archive Height' })
  await expect(archive).toBeVisible()
  const changed = await page.request.patch(`/api/traits/${trait.id}`, { data: { unit: 'in', version: trait.version } })
  expect(changed.status(), await changed.text()).toBe(200)
  await archive.click()
  await expect(page.getByRole('listitem').filter({ hasText: 'The trait couldn’t be changed' })).toBeVisible()
  await expect(page.getByText('Number (in).')).toBeVisible()
  await archive.click()
  await expect(page.getByText('Archived (1)')).toBeVisible()
})

test('edits a trait on the second attempt after someone else changed it', async ({ page }) => {
  await joinByCall(page, newPerson())
  const made = await page.request.post('/api/pheno-hunts', { data: { huntName: 'Lemon × House cut', seedCount: 2 } })
  const { id } = (await made.json()) as { id: string }
  const added = await page.request.post(`/api/pheno-hunts/${id}/traits`, {
    data: { name: 'Height', kind: 'number', unit: 'cm', direction: 'none', id: '01a2281a-0000-7000-8000-000000000002' },
  })
  const trait = (await added.json()) as { id: string; version: number }
  await page.goto(`/pheno-hunt?tab=tracker&hunt=${id}`)
  await page.getByRole('button', { name: 'Traits', exact: true }).click()
  await page.getByRole('button', { name: 'Edit Height' }).click()
  const changed = await page.request.patch(`/api/traits/${trait.id}`, { data: { unit: 'in', version: trait.version } })
  expect(changed.status(), await changed.text()).toBe(200)
  const dialog = page.getByRole('dialog', { name: 'Edit trait' })
  await dialog.getByLabel('Name').fill('Final height')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toContainText('changed in the meantime')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Edit Height' }).click()
  await expect(dialog.getByLabel('Unit')).toHaveValue('in')
  await dialog.getByLabel('Name').fill('Final height')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: 'Edit Final height' })).toBeVisible()
})

test('updates the day of an empty score table, but not of typed scores, if the page stays open overnight', async ({ page }) => {
  await joinByCall(page, newPerson())
  const made = await page.request.post('/api/pheno-hunts', { data: { huntName: 'Lemon × House cut', seedCount: 2 } })
  const { id } = (await made.json()) as { id: string }
  await page.request.post(`/api/pheno-hunts/${id}/traits`, { data: { name: 'Height', kind: 'number', unit: 'cm', direction: 'none' } })
  await page.clock.install()
  await page.goto(`/pheno-hunt?tab=tracker&hunt=${id}`)
  await page.getByRole('button', { name: 'Score table' }).click()
  const localDay = () => page.evaluate(() => new Date().toLocaleDateString('sv'))
  await expect(page.getByLabel('Day')).toHaveValue(await localDay())
  await page.clock.fastForward('24:00:00')
  const secondDay = await localDay()
  await expect(page.getByLabel('Day')).toHaveValue(secondDay)
  await page.getByRole('gridcell', { name: '#1, Height (cm): empty' }).click()
  await page.keyboard.type('41')
  await page.keyboard.press('Enter')
  await page.clock.fastForward('24:00:00')
  await expect(page.getByLabel('Day')).toHaveAttribute('max', await localDay())
  await expect(page.getByLabel('Day')).toHaveValue(secondDay)
})

const addHunt = async (page: Page, seedCount: number): Promise<string> => {
  const made = await page.request.post('/api/pheno-hunts', { data: { huntName: 'Lemon × House cut', seedCount } })
  expect(made.status(), await made.text()).toBe(201)
  return ((await made.json()) as { id: string }).id
}
type MadeTrait = { id: string; version: number }
const addNumberTrait = async (page: Page, huntId: string, name: string): Promise<MadeTrait> => {
  const made = await page.request.post(`/api/pheno-hunts/${huntId}/traits`, { data: { name, kind: 'number' } })
  expect(made.status(), await made.text()).toBe(201)
  return (await made.json()) as MadeTrait
}
const archive = async (page: Page, { id, version }: MadeTrait) => {
  const changed = await page.request.patch(`/api/traits/${id}`, { data: { isArchived: true, version } })
  expect(changed.status(), await changed.text()).toBe(200)
}
const scoresOf = async (page: Page, huntId: string, traitId: string): Promise<number[]> => {
  const answer = await page.request.get(`/api/pheno-hunts/${huntId}/observations?limit=100&traitId=${traitId}`)
  return ((await answer.json()) as { number: number }[]).map(({ number }) => number).toSorted()
}

test('keeps what was typed in a walk, a table and a value’s form when someone archives the trait', async ({ page }) => {
  test.slow()
  await joinByCall(page, newPerson())
  const id = await addHunt(page, 3)
  const [height, vigor, color] = [
    await addNumberTrait(page, id, 'Height'),
    await addNumberTrait(page, id, 'Vigor'),
    await addNumberTrait(page, id, 'Color'),
  ]
  await page.goto(`/pheno-hunt?tab=tracker&hunt=${id}`)
  await page.getByRole('button', { name: 'Score plants' }).click()
  await page.getByRole('button', { name: 'Score 3 plants' }).click()
  const walk = page.getByRole('dialog', { name: 'Height' })
  await walk.getByLabel('Height').fill('41')
  await archive(page, height)
  const releaseWalk = await hold(page, /\/traits$/)
  await walk.getByRole('button', { name: 'Save' }).click()
  await expect(walk.locator('[data-walk-plant]')).toHaveText('#2')
  await walk.getByLabel('Height').fill('52')
  releaseWalk()
  await expect(walk.getByText('“Height” was archived. You can still save its values.')).toBeVisible()
  await expect(walk.locator('[data-walk-plant]')).toHaveText('#2')
  await expect(walk.getByLabel('Height')).toHaveValue('52')
  await expectAccessible(page)
  await walk.getByRole('button', { name: 'Save anyway' }).click()
  await expect(walk.getByText('The walk for Height ends here.')).toBeVisible()
  await walk.getByRole('button', { name: 'Finish' }).click()
  await expect.poll(() => scoresOf(page, id, height.id)).toEqual([41, 52])

  await page.getByRole('button', { name: 'Score table' }).click()
  const table = page.getByRole('grid', { name: /^Scores from/ })
  await expect(table.getByRole('columnheader', { name: 'Height' })).toHaveCount(0)
  await page.unroute(/\/traits$/)
  const releaseTable = await hold(page, /\/traits$/)
  await table.getByRole('gridcell', { name: '#1, Vigor: empty' }).click()
  await paste(page, '7\t3')
  await archive(page, vigor)
  await page.getByRole('button', { name: 'Save 1 plant' }).click()
  await expect(table.getByRole('gridcell', { name: '#1, Vigor: empty' })).toBeVisible()
  await table.getByRole('gridcell', { name: '#2, Vigor: empty' }).click()
  await paste(page, '8')
  releaseTable()
  await expect(table.getByRole('gridcell', { name: '#2, Vigor, archived: 8' })).toBeVisible()
  await expect(page.getByText('“Vigor” was archived. You can still save its values.')).toBeVisible()
  await page.getByRole('button', { name: 'Save 1 plant' }).click()
  await expect.poll(() => scoresOf(page, id, vigor.id)).toEqual([7, 8])

  await page.unroute(/\/traits$/)
  const releaseSheet = await hold(page, /\/traits$/)
  await cell(page, '#2, Color: not measured').click()
  const sheet = page.getByRole('dialog', { name: 'Color of #2' })
  const addValue = async (text: string) => {
    await sheet.getByRole('button', { name: 'Add a value' }).click()
    await sheet.getByRole('textbox', { name: 'Color' }).fill(text)
  }
  await addValue('4')
  await archive(page, color)
  await sheet.getByRole('button', { name: 'Save value' }).click()
  await addValue('5')
  releaseSheet()
  await expect(sheet.getByText('“Color” was archived. You can still save its values.')).toBeVisible()
  await expect(sheet.getByRole('textbox', { name: 'Color' })).toHaveValue('5')
  await sheet.getByRole('button', { name: 'Save value' }).click()
  await expect.poll(() => scoresOf(page, id, color.id)).toEqual([3, 4, 5])
})

test('reveals blind labels after all plants have been harvested', async ({ page }) => {
  await joinByCall(page, newPerson())
  const id = await addHunt(page, 2)
  await addNumberTrait(page, id, 'Height')
  await page.goto(`/pheno-hunt?tab=tracker&hunt=${id}`)
  await page.getByRole('button', { name: 'Score plants' }).click()
  await page.getByRole('switch', { name: 'Blind labels' }).click()
  await page.getByRole('button', { name: 'Show 2 labels' }).click()
  const labels = await page.getByRole('dialog', { name: 'Blind labels' }).getByRole('listitem').allInnerTexts()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Score 2 plants' }).click()
  const walk = page.getByRole('dialog', { name: 'Height' })
  await walk.getByLabel('Height').fill('41')
  await walk.getByRole('button', { name: 'Save' }).click()
  await walk.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('button', { name: 'Synced' })).toBeVisible()

  const genotypes = (await (await page.request.get(`/api/pheno-hunts/${id}/genotypes`)).json()) as { plants: { id: string }[] }[]
  const harvests = genotypes.flatMap(({ plants }) => plants.map((plant) => ({ plantId: plant.id, harvestedOn: '2026-01-02' })))
  const harvested = await page.request.post(`/api/pheno-hunts/${id}/harvests`, { data: { harvests, confirmLastCopies: ['#1', '#2'] } })
  expect(harvested.status(), await harvested.text()).toBe(201)
  await page.reload()
  await page.getByRole('button', { name: 'Score plants' }).click()
  await expect(page.getByText('No plants are alive.')).toBeVisible()
  await page.getByRole('button', { name: 'End and reveal' }).click()
  await expect(page.getByText('You scored 1 of 2 plants.')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'End and reveal' }).click()
  const revealed = page.getByRole('dialog', { name: 'Which plant was which' })
  const shown = await revealed.getByRole('listitem').allInnerTexts()
  expect(shown.map((row) => row.replace(/\s*Height: 41/, '')).toSorted()).toEqual(labels.toSorted())
  await revealed.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('button', { name: 'End and reveal' })).toHaveCount(0)
})
