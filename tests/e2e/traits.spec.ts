import { expect, type Page, test } from '@playwright/test'
import type { TraitRecords } from '#contracts/observations.endpoints.ts'
import { traitRecordsOf } from '#contracts/trait-records.ts'
import { expectAccessible } from './accessibility.ts'
import { joinByCall, newPerson } from './people.ts'

test('scores a hunt with a preset: in a walk, in a table, and with a labeled correction', async ({ page }) => {
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
  // By keyboard, too.
  await page.keyboard.press('1')
  await expect(walk.getByText('All 4 plants are scored for Vigor.')).toBeVisible()
  await walk.getByRole('button', { name: 'Undo' }).click()
  await expect(walk.getByText('Undone.')).toBeVisible()
  await expect(plantNow).toHaveText('#4')
  await expect(walk.getByText('3 of 4 scored')).toBeVisible()
  await walk.getByRole('button', { name: 'Close' }).click()
  await expect(cell(page, '#3, Vigor: 5, 100% desirable')).toBeVisible()

  await page.getByRole('button', { name: 'Score table' }).click()
  const table = page.getByRole('grid', { name: /^Scores of/ })
  await table.getByRole('gridcell', { name: '#1, Rooting days (days): empty' }).click()
  await paste(page, '9\n12\nsoon\n8 days')
  await page.getByRole('button', { name: 'Save 4 plants' }).click()
  // The invalid row stays, with its error.
  await expect(page.getByText('#3, Rooting days: Enter a number in days')).toBeVisible()
  await expect(table.getByRole('gridcell', { name: '#3, Rooting days (days): soon' })).toBeVisible()
  await expect(table.getByRole('gridcell', { name: '#1, Rooting days (days): empty' })).toBeVisible()
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
  await expectAccessible(page)

  // Every number comes from the server.
  const answer = await page.request.get(`/api/pheno-hunts/${id}/trait-records`)
  const numbers = traitRecordsOf((await answer.json()) as TraitRecords).map(({ number }) => number)
  expect(numbers.toSorted()).toEqual([3, 2, 5, 9, 12, 8].toSorted())
})

test('renders a long matrix gradually while its keys, order, and single tab stop work', async ({ page }) => {
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
  // All rows exist, although few are in view.
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
