import { type BrowserContext, expect, type Page } from '@playwright/test'
import type { KeeperRanking } from '#contracts/keepers.endpoints.ts'
import type { Observation } from '#contracts/observations.endpoints.ts'
import type { Genotype } from '#contracts/plants.ts'
import type { Placement, Run } from '#contracts/runs.endpoints.ts'
import type { Trait } from '#contracts/traits.ts'
import { axeFindings } from './accessibility.ts'
import { toastWith } from './directory.ts'
import { put, test } from './members.ts'

const seeds = 36
/** Plants that turn out to be male and are culled. */
const males = Array.from({ length: 12 }, (_, i) => 25 + i)
const females = Array.from({ length: 24 }, (_, i) => 1 + i)

/** Scores for how strongly each female grows and smells, from 1 to 5. #7 stands out in both, and #18 in growth. */
const vigorOf = (number: number) => (number === 7 || number === 18 ? 5 : 2 + (number % 3))
const aromaOf = (number: number) => (number === 7 ? 5 : 1 + (number % 4))

const answerOf = async <T>(page: Page, address: string): Promise<T> => {
  const answer = await page.request.get(address)
  expect(answer.ok(), `${address}: ${await answer.text()}`).toBe(true)
  return (await answer.json()) as T
}

const isReadyOffline = () =>
  caches.keys().then(async (names) => {
    const name = names.find((each) => each.startsWith('shell-'))
    return name !== undefined && (await (await caches.open(name)).match('/offline/shell')) !== undefined
  })

const walk = (page: Page, trait: string) => page.getByRole('dialog', { name: trait, exact: true })
const numberOn = async (page: Page): Promise<string> => (await page.locator('[data-walk-plant]').textContent()) ?? ''

/** Expects all thumb controls to be on screen without scrolling, and to measure at least 44 pixels each way. */
async function expectWithinReach(page: Page, trait: string, options: number): Promise<void> {
  const dialog = walk(page, trait)
  const scale = dialog.getByRole('group', { name: trait }).getByRole('button')
  await expect(scale).toHaveCount(options)
  for (const button of [
    ...(await scale.all()),
    ...(await dialog.getByRole('button', { name: /^(Undo|Previous plant|Next plant)$/ }).all()),
  ]) {
    await expect(button).toBeInViewport({ ratio: 1 })
    const box = await button.boundingBox()
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44)
  }
}

const score = (page: Page, trait: string, value: number) =>
  walk(page, trait)
    .getByRole('group', { name: trait })
    .getByRole('button', { name: new RegExp(`^${value} `) })
    .tap()

test('takes a hunt of 36 seeds from germination to a decision on a phone that is offline in between', async ({ newMember }) => {
  test.setTimeout(240_000)
  const { page: desk } = await newMember({ firstName: 'Ivy', lastName: 'Cellar' })
  const browser = desk.context().browser()
  if (!browser) throw new Error('The page has no browser')
  const phone: BrowserContext = await browser.newContext({
    ...{ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
    ...{ reducedMotion: 'reduce', serviceWorkers: 'allow', storageState: await desk.context().storageState() },
  })
  const page = await phone.newPage()
  page.setDefaultTimeout(20_000)

  // Germination: 36 numbered seeds.
  await page.goto('/pheno-hunt')
  await page.getByRole('button', { name: 'Create Hunt' }).tap()
  const form = page.getByRole('dialog', { name: 'New Hunt' })
  await form.getByLabel('Mother (or strain name)').fill('Zkittlez')
  await form.getByLabel('Father', { exact: true }).fill('House cut')
  await form.getByLabel('Seeds', { exact: true }).fill(String(seeds))
  await form.getByRole('button', { name: 'Create Hunt' }).tap()
  const card = page.getByRole('article', { name: 'Zkittlez × House cut' })
  await card.getByRole('link', { name: 'Open' }).tap()
  await expect(page).toHaveURL(/pheno-hunt\/[^/?]+$/)
  const huntId = new URL(page.url()).pathname.split('/').at(-1) as string

  // Creates a run with a bench. Two plants swap, so the bench isn't in number order.
  await page.getByRole('link', { name: 'Runs', exact: true }).tap()
  await page.getByRole('button', { name: 'New run' }).tap()
  const run = page.getByRole('dialog', { name: 'New run' })
  for (const [label, text] of [
    ['Name', 'Tent A'],
    ['Room', 'Basement'],
    ['Bench rows', '6'],
    ['Bench columns', '6'],
  ] as const) {
    await run.getByLabel(label, { exact: true }).fill(text)
  }
  const benchRows = run.getByLabel('Bench rows', { exact: true })
  await benchRows.fill('6 rows')
  await run.getByRole('button', { name: 'Start run' }).tap()
  await expect(benchRows).toBeFocused()
  await expect(run.getByText('Enter a whole number from 1 to 100')).toBeVisible()
  await benchRows.fill('6')
  await run.getByRole('button', { name: 'Start run' }).tap()
  await expect(run).toBeHidden()
  await page.getByRole('link', { name: 'Plants', exact: true }).tap()
  await page.getByRole('checkbox', { name: 'Select all' }).tap()
  await page.getByRole('region', { name: '36 selected' }).getByRole('button', { name: 'Place' }).tap()
  await page.getByRole('button', { name: 'Place 36' }).tap()
  await expect(toastWith(page, '36 plants placed in Tent A')).toBeVisible()
  const [{ id: runId } = { id: '' }] = await answerOf<Run[]>(page, `/api/pheno-hunts/${huntId}/runs`)
  const [first, ...others] = await answerOf<Placement[]>(page, `/api/runs/${runId}/placements`)
  const last = others.find(({ number }) => number === 24)
  await put(page, `/api/runs/${runId}/placements`, {
    placements: [
      { plantId: first?.plantId, row: last?.row, column: last?.column },
      { plantId: last?.plantId, row: first?.row, column: first?.column },
    ],
  })

  // Males are culled.
  await page.getByRole('link', { name: 'Plants', exact: true }).tap()
  for (const number of males) await page.getByRole('checkbox', { name: `Select #${number}`, exact: true }).tap()
  const chosen = page.getByRole('region', { name: '12 selected' })
  await chosen.getByRole('button', { name: 'Sex' }).tap()
  const sex = page.getByRole('dialog', { name: 'Sex of 12 phenos' })
  await sex.getByLabel('Sex').selectOption('male')
  await sex.getByRole('button', { name: 'Save' }).tap()
  await expect(sex).toBeHidden()
  for (const number of males) await page.getByRole('checkbox', { name: `Select #${number}`, exact: true }).tap()
  await chosen.getByRole('button', { name: 'Decide' }).tap()
  const deciding = page.getByRole('dialog')
  await deciding.getByRole('radio', { name: 'Cull' }).check()
  await deciding.getByLabel('Type their numbers to cull them').fill('25-36')
  await deciding.getByRole('button', { name: 'Cull 12' }).tap()
  await expect(page.getByText('24 living plants · 0 keepers · 12 culled')).toBeVisible()

  await page.goto(`/pheno-hunt?tab=tracker&hunt=${huntId}`)
  await page.getByRole('button', { name: 'Start with a standard set' }).tap()
  await page.getByRole('button', { name: /^Add \d+ traits$/ }).tap()
  await expect(page.getByRole('button', { name: 'Score plants' })).toBeVisible()
  const traits = await answerOf<Trait[]>(page, `/api/pheno-hunts/${huntId}/traits`)
  const vigor = traits.find(({ name }) => name === 'Vigor') as Trait
  const aroma = traits.find(({ name }) => name === 'Aroma intensity') as Trait
  await page.goto('/pheno-hunt')
  await expect(card).toBeVisible()
  await expect.poll(() => page.evaluate(isReadyOffline), { timeout: 30_000 }).toBe(true)
  await page.goto(`/pheno-hunt?tab=tracker&hunt=${huntId}`)
  await expect(page.getByRole('button', { name: 'Synced' })).toBeVisible()

  await phone.setOffline(true)
  await page.getByRole('button', { name: 'Score plants' }).tap()
  await page.getByLabel('Trait', { exact: true }).selectOption(vigor.id)
  await page.getByLabel('Where', { exact: true }).selectOption({ label: 'Tent A, Basement' })
  await page.getByRole('button', { name: 'Score 24 plants' }).tap()
  await expectWithinReach(page, 'Vigor', 5)
  expect(await axeFindings(page)).toEqual([])
  const visited: number[] = []
  for (let i = 0; i < females.length; i++) {
    const number = Number((await numberOn(page)).slice(1))
    visited.push(number)
    await score(page, 'Vigor', vigorOf(number))
    await expect(walk(page, 'Vigor').getByText(new RegExp(`^Saved #${number}: .+ It’ll be sent when you’re back online`))).toBeInViewport()
  }
  expect(visited).toEqual([24, ...females.slice(1, 23), 1])
  await expect(page.getByText('All 24 plants have been scored for Vigor.')).toBeVisible()
  // A score is undone, entered wrong, and corrected.
  await walk(page, 'Vigor').getByRole('button', { name: 'Undo' }).tap()
  await expect(walk(page, 'Vigor').getByText('23 of 24 scored')).toBeVisible()
  expect(await numberOn(page)).toBe('#1')
  await score(page, 'Vigor', 1)
  await expect(page.getByText('All 24 plants have been scored for Vigor.')).toBeVisible()
  await page.getByRole('button', { name: 'Finish' }).tap()
  await page.getByRole('button', { name: 'Score 24 plants' }).tap()
  await walk(page, 'Vigor').getByRole('button', { name: 'Previous plant' }).tap()
  expect(await numberOn(page)).toBe('#1')
  await expect(walk(page, 'Vigor').getByRole('button', { name: /^1 / })).toHaveAttribute('aria-pressed', 'true')
  await score(page, 'Vigor', vigorOf(1))
  await page.getByRole('button', { name: 'Finish' }).tap()

  // Writes a log on the next screen, and reopens the page.
  await page.getByRole('tab', { name: 'Grow Logs' }).tap()
  await expect(page.getByLabel('Height (cm)')).toBeInViewport()
  await page.getByLabel('Height (cm)').fill('41')
  await page.getByRole('button', { name: 'Save and next plant' }).tap()
  await expect(page.getByText('Saved #24. Next: #2')).toBeVisible()
  await page.goto(`/pheno-hunt?tab=tracker&hunt=${huntId}`)
  await expect(page.getByRole('button', { name: /^Offline, \d+ waiting$/ })).toBeVisible()
  await expect(page.getByRole('gridcell', { name: `#7, Vigor: 5, 100% desirable` })).toBeAttached()

  // Everything arrives once after reconnecting, and the history shows the correction.
  await phone.setOffline(false)
  await expect(page.getByRole('button', { name: 'Synced' })).toBeVisible({ timeout: 60_000 })
  const genotypes = await answerOf<Genotype[]>(page, `/api/pheno-hunts/${huntId}/genotypes`)
  const numbers = new Map(genotypes.flatMap(({ number, plants }) => plants.map(({ id }) => [id, number] as const)))
  const observations = await answerOf<Observation[]>(page, `/api/pheno-hunts/${huntId}/observations?traitId=${vigor.id}&limit=100`)
  const standing = observations.filter(({ isCurrent }) => isCurrent)
  expect(Object.fromEntries(standing.map(({ plantId, number }) => [numbers.get(plantId), number]))).toEqual(
    Object.fromEntries(females.map((number) => [number, vigorOf(number)])),
  )
  expect(standing).toHaveLength(24)
  const ofFirst = observations.filter(({ plantId }) => numbers.get(plantId) === 1)
  expect(ofFirst.map(({ number, isCurrent }) => [number, isCurrent])).toEqual([
    [vigorOf(1), true],
    [1, false],
  ])
  expect(standing.every(({ runId }) => runId !== null)).toBe(true)

  // Scores a second trait under blind labels, which are revealed at the end.
  await page.getByRole('button', { name: 'Score plants' }).tap()
  await page.getByLabel('Trait', { exact: true }).selectOption(aroma.id)
  await page.getByRole('switch', { name: 'Blind labels' }).tap()
  await page.getByRole('button', { name: 'Show 24 labels' }).tap()
  const rows = await page.getByRole('dialog', { name: 'Blind labels' }).getByRole('listitem').allInnerTexts()
  const labels = new Map(rows.map((row) => [row.slice(0, 2), Number(/#(\d+)/.exec(row)?.[1])]))
  expect([...labels.values()].toSorted((a, b) => a - b)).toEqual(females)
  await page.getByRole('button', { name: 'Done' }).tap()
  await page.getByRole('button', { name: 'Score 24 plants' }).tap()
  for (let i = 0; i < females.length; i++) {
    const label = await numberOn(page)
    expect(label).toMatch(/^[A-Z]{2}$/)
    await score(page, 'Aroma intensity', aromaOf(labels.get(label) ?? 0))
    await expect(walk(page, 'Aroma intensity').getByText(`Saved ${label}: `)).toBeVisible()
  }
  await page.getByRole('button', { name: 'Finish' }).tap()
  await page.getByRole('button', { name: 'End and reveal' }).tap()
  await page.getByRole('dialog').getByRole('button', { name: 'End and reveal' }).tap()
  const revealed = page.getByRole('dialog', { name: 'Which plant was which' })
  await expect(revealed.getByRole('listitem').filter({ hasText: /#7(?!\d)/ })).toContainText('Aroma intensity: 5')
  await revealed.getByRole('button', { name: 'Done' }).tap()
  await expect(page.getByRole('gridcell', { name: `#7, Aroma intensity: 5, 100% desirable` })).toBeAttached()

  // Cuts clones of the best three before everything is harvested.
  await page.goto(`/pheno-hunt/${huntId}`)
  for (const number of [7, 18, 3]) await page.getByRole('checkbox', { name: `Select #${number}`, exact: true }).tap()
  await page.getByRole('region', { name: '3 selected' }).getByRole('button', { name: 'Clone' }).tap()
  await page.getByRole('button', { name: 'Cut 3 clones' }).tap()
  await expect(toastWith(page, '3 clones cut')).toBeVisible()
  await page.goto(`/pheno-hunt?tab=tracker&hunt=${huntId}`)
  await page.getByRole('button', { name: 'Harvests' }).tap()
  await page.getByRole('gridcell', { name: /^#1, Dry \(g\)/ }).tap()
  // Each clone's row follows its plant's.
  for (const number of females) {
    await page.keyboard.type(String(60 + 2 * number))
    await page.keyboard.press('Enter')
    if ([3, 7, 18].includes(number)) await page.keyboard.press('ArrowDown')
  }
  await expect(page.getByText('End the 24 plants on the day of harvest')).toBeVisible()
  await page.getByLabel('Type their numbers to harvest them').fill('1-24')
  await page.getByRole('button', { name: 'Save 24 harvests' }).tap()
  await expect(toastWith(page, 'Saved 24 harvests')).toBeVisible()

  // Only phenos that can be kept are ranked, with the weights on the same screen.
  await page.goto(`/pheno-hunt/${huntId}?section=keepers`)
  await expect(page.getByText('3 living plants · 0 keepers · 12 culled')).toBeVisible()
  const firstThree = page.getByRole('table', { name: 'First three' })
  await expect(firstThree.getByRole('row')).toHaveCount(4)
  await page.getByRole('slider', { name: 'Aroma intensity' }).scrollIntoViewIfNeeded()
  await expect(firstThree).toBeInViewport({ ratio: 1 })
  await expect(page.getByRole('slider', { name: 'Aroma intensity' })).toBeInViewport()
  const ranking = await answerOf<KeeperRanking>(page, `/api/pheno-hunts/${huntId}/ranking`)
  expect(ranking.genotypes.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual([3, 7, 18])
  expect(ranking.genotypes[0]?.number).toBe(7)

  await page.getByRole('button', { name: 'Decide on #7' }).tap()
  await deciding.getByRole('radio', { name: 'Keep' }).check()
  await deciding.getByLabel('Reason').fill('Loudest, and strongest of all')
  await deciding.getByRole('button', { name: 'Save decision' }).tap()
  await expect(page.getByText('3 living plants · 1 keeper · 12 culled')).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await phone.close()
})
