import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { hold } from './app.ts'
import { toastWith } from './directory.ts'
import { test } from './members.ts'

const anchors = ['none', 'faint', 'clear', 'loud'].map((label, value) => ({ value, label }))

async function newHunt(page: Page): Promise<string> {
  const made = await page.request.post('/api/pheno-hunts', { data: { huntName: 'Lantern Kush F2', seedCount: 2 } })
  expect(made.status(), await made.text()).toBe(201)
  const { id } = (await made.json()) as { id: string }
  const trait = await page.request.post(`/api/pheno-hunts/${id}/traits`, {
    data: { name: 'Aroma strength', kind: 'ordinal', options: anchors },
  })
  expect(trait.status(), await trait.text()).toBe(201)
  return id
}

test('lets a person without an account score a jar blind, and shows the scores once the panel is closed', async ({
  newMember,
  browser,
}) => {
  const { page } = await newMember({ firstName: 'Mara', lastName: 'Quill' })
  const huntId = await newHunt(page)
  await page.goto(`/pheno-hunt/${huntId}?section=panels`)
  await page.getByRole('button', { name: 'New panel' }).click()
  const dialog = page.getByRole('dialog', { name: 'New blind panel' })
  await dialog.getByRole('button', { name: 'Open panel' }).click()
  await expect(dialog.getByText('Name the panel')).toBeVisible()
  await dialog.getByLabel('Name', { exact: true }).fill('Sunday cup')
  await dialog.getByLabel('Instructions for testers').fill('Grind it first')
  await dialog.getByRole('checkbox', { name: 'Aroma strength' }).check()
  for (const name of ['#1', '#2']) await dialog.getByRole('button', { name, exact: true }).click()
  await dialog.getByLabel('Cards per jar').fill('1')
  await dialog.getByRole('button', { name: 'Open panel' }).click()

  const panel = page.getByRole('region', { name: 'Sunday cup' })
  await expect(panel.getByText('0 cards of 2 answered')).toBeVisible()
  const printed = page.waitForResponse((response) => response.url().endsWith('/prints'))
  const saved = page.waitForEvent('download')
  await panel.getByRole('button', { name: 'Print 2 new cards' }).click()
  const { cards } = (await (await printed).json()) as { cards: { jarName: string; url: string }[] }
  expect((await saved).suggestedFilename()).toBe('sunday-cup-cards.pdf')
  await expect(panel.getByRole('button', { name: 'All cards printed' })).toBeDisabled()
  await expectAccessible(page)

  const [card] = cards as [{ jarName: string; url: string }]
  const tester = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage()
  await tester.goto(new URL(card.url).pathname)
  await tester.getByRole('button', { name: 'I am 18 or older' }).click()
  await expect(tester.getByRole('heading', { name: card.jarName })).toBeVisible()
  await expect(tester.getByText('Grind it first')).toBeVisible()
  await expect(tester.locator('body')).not.toContainText(/Lantern|Sunday|Mara|#[12]/)
  await tester.getByRole('button', { name: '2 clear' }).click()
  await tester.getByLabel('Your name').fill('Ada')
  await tester.reload()
  await expect(tester.getByRole('button', { name: '2 clear' })).toHaveAttribute('aria-pressed', 'true')
  await expectAccessible(tester)
  await tester.getByRole('button', { name: 'Send scores' }).click()
  await expect(tester.getByRole('heading', { name: 'Thank you' })).toBeVisible()
  await tester.reload()
  await expect(tester.getByRole('heading', { name: `This card for jar ${card.jarName} has already been used` })).toBeVisible()
  expect(await tester.context().cookies()).toEqual([])
  await tester.context().close()

  await page.reload()
  await expect(panel.getByText('1 card of 2 answered')).toBeVisible()
  await expect(panel).not.toContainText('Ada')
  await panel.getByRole('button', { name: 'Close panel' }).click()
  await page.getByRole('button', { name: 'Close and show scores' }).click()
  await expect(toastWith(page, 'Sunday cup closed')).toBeVisible()
  await expect(panel.getByRole('row', { name: new RegExp(`^${card.jarName} #[12] 1 2$`) })).toBeVisible()
  await panel.getByText('Answers by card (1)').click()
  await expect(panel.getByText(`${card.jarName}, card 1 by Ada`)).toBeVisible()
  await expectAccessible(page)
})

test('shows errors in the forms for a panel and its scores only while they apply', async ({ newMember, browser }) => {
  const { page } = await newMember({ firstName: 'Mara', lastName: 'Quill' })
  const made = await page.request.post('/api/pheno-hunts', { data: { huntName: 'Lantern Kush F2', seedCount: 1 } })
  const { id } = (await made.json()) as { id: string }
  await page.goto(`/pheno-hunt/${id}?section=panels`)
  await page.getByRole('button', { name: 'New panel' }).click()
  const dialog = page.getByRole('dialog', { name: 'New blind panel' })
  await dialog.getByRole('button', { name: 'Open panel' }).click()
  await expect(dialog.getByText('Choose at least two plants to compare')).toBeVisible()
  await dialog.getByRole('link', { name: 'Add plants to this hunt' }).click()
  await expect(page).toHaveURL(`/pheno-hunt/${id}`)
  await expect(dialog).toBeHidden()

  expect((await page.request.post(`/api/pheno-hunts/${id}/seeds`, { data: { count: 3 } })).ok()).toBe(true)
  await page.goto(`/pheno-hunt/${id}?section=panels`)
  await page.getByRole('button', { name: 'New panel' }).click()
  await dialog.getByRole('link', { name: 'Add a scale, number or list under Data Tracker' }).click()
  await expect(page.getByRole('tab', { name: 'Data Tracker' })).toHaveAttribute('aria-selected', 'true')

  const trait = await page.request.post(`/api/pheno-hunts/${id}/traits`, { data: { name: 'Guess of THC', kind: 'number', unit: '%' } })
  expect(trait.status(), await trait.text()).toBe(201)
  await page.goto(`/pheno-hunt/${id}?section=panels`)
  await page.getByRole('button', { name: 'New panel' }).click()
  await dialog.getByLabel('Name', { exact: true }).fill('Sunday cup')
  await dialog.getByRole('checkbox', { name: 'Guess of THC' }).check()
  await dialog.getByRole('button', { name: 'Open panel' }).click()
  const tooFew = dialog.getByText('Choose at least two plants to compare')
  await expect(tooFew).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'All 4' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(tooFew).toBeHidden()
  await dialog.getByRole('button', { name: 'Open panel' }).click()

  const panel = page.getByRole('region', { name: 'Sunday cup' })
  const printed = page.waitForResponse((response) => response.url().endsWith('/prints'))
  await panel.getByRole('button', { name: 'Print 12 new cards' }).click()
  const { cards } = (await (await printed).json()) as { cards: { jarName: string; url: string }[] }
  await expect(panel.getByRole('button', { name: 'Print again' })).toBeFocused()

  const [card] = cards as [{ jarName: string; url: string }]
  const tester = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage()
  await tester.goto(new URL(card.url).pathname)
  await tester.getByRole('button', { name: 'I am 18 or older' }).click()
  await expect(tester.getByRole('heading', { name: card.jarName })).toBeFocused()
  const send = tester.getByRole('button', { name: 'Send scores' })
  const guess = tester.getByLabel('Guess of THC (%)')
  const problem = tester.getByRole('alert')
  await send.click()
  await expect(problem).toHaveText('Answer at least one question.')
  await guess.fill('about twenty')
  await expect(problem).toBeHidden()
  await send.click()
  await expect(problem).toHaveText('Correct the marked answer, or leave it empty.')
  await expect(guess).toBeFocused()
  await guess.fill('20')
  await expect(problem).toBeHidden()
  await send.click()
  await expect(tester.getByRole('heading', { name: 'Thank you' })).toBeVisible()
  await tester.context().close()
})

/** Fills the dialog for a panel of two jars, and leaves it open. */
async function newPanel(page: Page, huntId: string) {
  await page.goto(`/pheno-hunt/${huntId}?section=panels`)
  await page.getByRole('button', { name: 'New panel' }).click()
  const dialog = page.getByRole('dialog', { name: 'New blind panel' })
  await dialog.getByLabel('Name', { exact: true }).fill('Sunday cup')
  await dialog.getByRole('checkbox', { name: 'Aroma strength' }).check()
  for (const name of ['#1', '#2']) await dialog.getByRole('button', { name, exact: true }).click()
  return dialog
}

test('keeps focus on the button that adds a card while the card is saved', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Mara', lastName: 'Quill' })
  const huntId = await newHunt(page)
  const dialog = await newPanel(page, huntId)
  await dialog.getByLabel('Cards per jar').fill('1')
  await dialog.getByRole('button', { name: 'Open panel' }).click()

  const release = await hold(page, /\/cards$/)
  const add = page.getByRole('button', { name: /^Add a card to / }).first()
  await add.click()
  await expect(add).toHaveAttribute('aria-disabled', 'true')
  await expect(add).toBeFocused()
  // A key press while the change is being saved does nothing.
  await page.keyboard.press('Enter')
  release()
  await expect(page.getByText('0 cards of 3 answered')).toBeVisible()
  await expect(add).not.toHaveAttribute('aria-disabled')
  await expect(add).toBeFocused()
})

test('hides from the host which plant is in which jar, and gives someone else the jar list', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Mara', lastName: 'Quill' })
  const huntId = await newHunt(page)
  const dialog = await newPanel(page, huntId)
  await dialog.getByRole('radio', { name: 'Someone else' }).check()
  await dialog.getByRole('button', { name: 'Open panel' }).click()

  const panel = page.getByRole('region', { name: 'Sunday cup' })
  await expect(panel.getByText('Hidden until the panel closes')).toHaveCount(2)
  await panel.getByRole('button', { name: 'Jar list' }).click()
  const list = page.getByRole('dialog', { name: 'Jar list for Sunday cup' })
  await expect(list.getByRole('listitem')).toHaveCount(0)
  await expectAccessible(page)
  await list.getByRole('button', { name: 'Show 2 jars' }).click()
  await expect(list.getByRole('listitem')).toHaveCount(2)
  const jars = (await list.getByRole('listitem').allInnerTexts()).map((text) => text.split(/\s+/).slice(0, 2))
  expect(jars.map(([, plant]) => plant).toSorted()).toEqual(['#1', '#2'])
  await list.getByRole('button', { name: 'Done' }).click()
  await expect(panel.getByText('You have the jar list. No one else can open it.')).toBeVisible()
  await expect(panel.getByText('Hidden until the panel closes')).toHaveCount(2)

  await panel.getByRole('button', { name: 'Close panel' }).click()
  await page.getByRole('button', { name: 'Close and show scores' }).click()
  await expect(toastWith(page, 'Sunday cup closed')).toBeVisible()
  await expect(panel.getByText('jars filled by you')).toBeVisible()
})
