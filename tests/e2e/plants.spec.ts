import { expect } from '@playwright/test'
import type { Genotype } from '#contracts/plants.ts'
import type { Harvest } from '#contracts/traits.ts'
import { expectAccessible } from './accessibility.ts'
import { toastWith } from './directory.ts'
import { test } from './members.ts'

const grower = { firstName: 'Wes', lastName: 'Arden' }

test('cuts clones, culls the last copy after its number is typed, and undoes the cull', async ({ newMember }) => {
  const { page } = await newMember(grower)
  const made = await page.request.post('/api/pheno-hunts', {
    data: { huntName: 'Blue Dream F2', seedCount: 12, germinationDate: '2026-09-01' },
  })
  expect(made.status(), await made.text()).toBe(201)
  const { id } = (await made.json()) as { id: string }
  const seven = async () => (await (await page.request.get(`/api/pheno-hunts/${id}/genotypes/7`)).json()) as Genotype

  await page.goto(`/pheno-hunt/${id}`)
  // A row that a filter keeps isn't built again, which would take a long time in a large hunt.
  const row = await page.getByRole('checkbox', { name: 'Select #7', exact: true }).elementHandle()
  const finder = page.getByLabel('Find by number or label')
  await finder.fill('#7')
  await expect(page.getByRole('status').filter({ hasText: '1 of 12' })).toBeVisible()
  expect(await row?.evaluate((box) => box.isConnected)).toBe(true)
  await finder.fill('')
  await page.getByRole('checkbox', { name: 'Select #3', exact: true }).check()
  await page.getByRole('checkbox', { name: 'Select #7', exact: true }).check()
  await page.getByRole('region', { name: '2 selected' }).getByRole('button', { name: 'Clone' }).click()
  await page.getByLabel('Clones per pheno').fill('2')
  await page.getByRole('button', { name: 'Cut 4 clones' }).click()
  await expect(toastWith(page, '4 clones cut: #3-1, #3-2, #7-1 and #7-2')).toBeVisible()
  await expect(page.getByRole('link', { name: '#7 ' })).toContainText('All 3 alive')

  // Culling #7 ends all of its living plants: the seed plant and both clones.
  await page.getByRole('link', { name: '#7 ' }).click()
  await page.getByRole('button', { name: 'Decide', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: 'Cull' }).check()
  await expect(dialog.getByLabel('Type #7 to cull it')).toBeVisible()
  await dialog.getByRole('button', { name: 'Cull #7' }).click()
  await expect(dialog.getByRole('alert')).toContainText('You can’t bring back a last copy')
  expect((await seven()).livingCopies).toBe(3)
  await dialog.getByLabel('Type #7 to cull it').fill('7')
  await dialog.getByLabel('Reason').fill('Leggy')
  await dialog.getByRole('button', { name: 'Cull #7' }).click()

  await expect(toastWith(page, 'Cull: #7')).toBeVisible()
  await expect(page.getByText('Decision: Cull')).toBeVisible()
  expect(await seven()).toMatchObject({ standing: 'cull', livingCopies: 0 })
  await toastWith(page, 'Cull: #7').getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: /^Undone$/ })).toBeVisible()
  await expect(page.getByText('Decision undone: Cull')).toBeVisible()
  expect(await seven()).toMatchObject({ standing: null, livingCopies: 3 })
  await expectAccessible(page)
})

test('scrolls to a missing decision or plant number on a phone, and focuses its field', async ({ newMember }) => {
  const { page } = await newMember(grower)
  await page.setViewportSize({ width: 390, height: 844 })
  const made = await page.request.post('/api/pheno-hunts', { data: { huntName: 'Last copies', seedCount: 2 } })
  const { id } = (await made.json()) as { id: string }
  await page.goto(`/pheno-hunt/${id}/plants/2`)
  await page.getByRole('button', { name: 'Decide', exact: true }).click()
  const dialog = page.getByRole('dialog')

  await dialog.getByRole('button', { name: 'Save decision' }).click()
  await expect(dialog.getByText('Choose a decision')).toBeInViewport()
  await expect(dialog.getByRole('radio', { name: 'Keep' })).toBeFocused()

  await dialog.getByRole('radio', { name: 'Cull' }).check()
  await dialog.getByRole('button', { name: 'Cull #2' }).click()
  await expect(dialog.getByText('You can’t bring back a last copy')).toBeInViewport()
  await expect(dialog.getByLabel('Type #2 to cull it')).toBeFocused()
  await dialog.getByLabel('Type #2 to cull it').fill('2')
  await expect(dialog.getByText('You can’t bring back a last copy')).toBeHidden()
})

test('shows a pheno’s ancestors and offspring across hunts on a small phone', async ({ newMember }) => {
  const { page } = await newMember(grower)
  await page.setViewportSize({ width: 320, height: 700 })
  const write = async <Answer>(method: 'post' | 'patch', address: string, data: object): Promise<Answer> => {
    const answer = await page.request[method](address, { data })
    expect(answer.ok(), `${address}: ${await answer.text()}`).toBe(true)
    return (await answer.json()) as Answer
  }
  const huntOf = async (huntName: string, lot: object) => {
    const { id } = await write<{ id: string }>('post', '/api/pheno-hunts', { huntName, seedCount: 2 })
    const { id: seedLotId } = await write<{ id: string }>('post', `/api/pheno-hunts/${id}/seed-lots`, lot)
    const answer = await page.request.get(`/api/pheno-hunts/${id}/genotypes`)
    const genotypes = (await answer.json()) as Genotype[]
    for (const { id: genotypeId, version } of genotypes) await write('patch', `/api/genotypes/${genotypeId}`, { seedLotId, version })
    return { id, genotypeIds: genotypes.map((genotype) => genotype.id) }
  }
  const first = await huntOf('Autumn Haze', { mother: 'Haze', father: 'Skunk', generation: 'F1' })
  const second = await huntOf('Winter Haze', { motherGenotypeId: first.genotypeIds[0], isSelfed: true, generation: 'S1' })
  const [kept] = second.genotypeIds
  const decisions = [{ id: crypto.randomUUID(), genotypeId: kept }]
  await write('post', `/api/pheno-hunts/${second.id}/decisions`, { decisions, kind: 'keep' })

  await page.goto(`/pheno-hunt/${first.id}/plants/1`)
  const lineage = page.getByRole('region', { name: 'Lineage' })
  await expect(lineage.getByRole('listitem').filter({ hasText: /^MotherHaze$/ })).toBeVisible()
  const offspring = lineage.getByRole('listitem').filter({ hasText: 'Selfed, S1' })
  await expect(offspring).toContainText('Winter Haze')
  await expect(offspring.getByRole('listitem')).toHaveText(['#1Keep', 'and 1 more'])
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)

  await offspring.getByRole('link', { name: '#1' }).click()
  await expect(page.getByRole('heading', { level: 1, name: '#1' })).toBeVisible()
  await expect(lineage.getByRole('listitem').filter({ hasText: 'Selfed from' })).toContainText('Autumn Haze')

  await page.goto(`/pheno-hunt/${first.id}?section=lineage`)
  const diagram = page.getByRole('region', { name: 'Lineage diagram' })
  await expect(diagram.getByRole('listitem').first()).toBeVisible()
  await expect.poll(() => diagram.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
})

test('shows what is missing before seeds, clones or dates can be saved', async ({ newMember }) => {
  const { page } = await newMember(grower)
  const made = await page.request.post('/api/pheno-hunts', { data: { huntName: 'Nothing chosen', seedCount: 12 } })
  const { id } = (await made.json()) as { id: string }
  await page.goto(`/pheno-hunt/${id}`)
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Add seeds' }).first().click()
  await dialog.getByRole('button', { name: 'Add seeds' }).click()
  const count = dialog.getByLabel('How many')
  await expect(count).toBeFocused()
  await expect(count).toHaveAccessibleDescription('Enter how many to add')
  await count.fill('2')
  await expect(dialog.getByText('Enter how many to add')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.getByRole('button', { name: 'Clone', exact: true }).click()
  const clones = dialog.getByLabel('Clones per pheno')
  await clones.fill('')
  await dialog.getByRole('button', { name: 'Cut clones' }).click()
  await expect(clones).toBeFocused()
  await expect(clones).toHaveAccessibleDescription('Enter how many clones to cut')
  await clones.fill('100')
  await dialog.getByRole('button', { name: 'Cut 1200 clones' }).click()
  await expect(clones).toBeFocused()
  await expect(clones).toHaveAccessibleDescription('At most 1,000 clones at once')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Dates' }).click()
  await dialog.getByRole('button', { name: 'Set' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Choose another date, or phenos with clones.')
  await dialog.getByLabel('Date').selectOption('Started on')
  await dialog.getByRole('button', { name: 'None' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Choose at least one plant.')
})

test('explains why a decision can’t be saved without storage or a connection', async ({ newMember }) => {
  const { page } = await newMember(grower)
  const made = await page.request.post('/api/pheno-hunts', { data: { huntName: 'No storage', seedCount: 2 } })
  const { id } = (await made.json()) as { id: string }
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('Not allowed', 'SecurityError')
    }
  })
  await page.goto(`/pheno-hunt/${id}/plants/1`)
  await page.route('**/decisions', (route) => route.abort())
  await page.getByRole('button', { name: 'Decide', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: 'Keep' }).check()
  await dialog.getByRole('button', { name: 'Save decision' }).click()
  await expect(dialog.getByRole('alert')).toContainText('This browser can’t store entries, and the server can’t be reached.')
})

test('never saves an edited pheno over someone else’s change', async ({ newMember }) => {
  const { page } = await newMember(grower)
  const made = await page.request.post('/api/pheno-hunts', { data: { huntName: 'Edited by two', seedCount: 2 } })
  const { id } = (await made.json()) as { id: string }
  const two = async () => (await (await page.request.get(`/api/pheno-hunts/${id}/genotypes/2`)).json()) as Genotype
  const opened = await two()
  await page.goto(`/pheno-hunt/${id}/plants/2`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit #2' })
  const theirs = { sex: 'male', notes: 'Pollen sacs', version: opened.version }
  const changed = await page.request.patch(`/api/genotypes/${opened.id}`, { data: theirs })
  expect(changed.status(), await changed.text()).toBe(200)

  await dialog.getByLabel('Label').fill('Gas')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Someone else changed this in the meantime.')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeEnabled()
  expect(await two()).toMatchObject({ label: '', sex: 'male', notes: 'Pollen sacs' })

  await dialog.getByRole('button', { name: 'Load the latest version' }).click()
  await expect(dialog.getByLabel('Notes')).toHaveValue('Pollen sacs')
  await dialog.getByLabel('Label').fill('Gas')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  expect(await two()).toMatchObject({ label: 'Gas', sex: 'male', notes: 'Pollen sacs' })
})

test('keeps what others weigh while a harvest table is open, sends harvests without refused ones, and deletes one', async ({
  newMember,
}) => {
  const { page } = await newMember(grower)
  const made = await page.request.post('/api/pheno-hunts', { data: { huntName: 'Two scales', seedCount: 4 } })
  const { id } = (await made.json()) as { id: string }
  const genotypes = (await (await page.request.get(`/api/pheno-hunts/${id}/genotypes`)).json()) as Genotype[]
  await page.request.post(`/api/pheno-hunts/${id}/traits`, { data: { name: 'Vigor', kind: 'number' } })
  const harvests = async () => (await (await page.request.get(`/api/pheno-hunts/${id}/harvests`)).json()) as Harvest[]
  const weights = async () => new Set((await harvests()).map(({ wetGrams }) => wetGrams))
  const record = (number: number, wetGrams: number) =>
    page.request.post(`/api/pheno-hunts/${id}/harvests`, {
      data: {
        harvests: [{ plantId: genotypes[number - 1]?.plants[0]?.id, harvestedOn: '2026-11-01', wetGrams }],
        confirmLastCopies: [`#${number}`],
      },
    })
  const enter = async (cell: string, text: string) => {
    await page.getByRole('gridcell', { name: new RegExp(`^${cell}`) }).click()
    await page.keyboard.type(text)
    await page.keyboard.press('Enter')
  }
  await record(1, 400)
  await page.goto(`/pheno-hunt?tab=tracker&hunt=${id}`)
  await page.getByRole('button', { name: 'Harvests' }).click()
  await expect(page.getByRole('gridcell', { name: '#1, Wet (g): 400' })).toBeVisible()

  // The helper's weights arrive while the table is open.
  const [{ id: harvestId }] = (await harvests()) as [Harvest]
  await page.request.patch(`/api/harvests/${harvestId}`, { data: { dryGrams: 96, version: 1 } })
  await enter('#1, Dry', '97')
  await page.getByRole('button', { name: 'Save 1 harvest' }).click()
  const held = page.getByRole('region', { name: 'Not saved yet' })
  await expect(held.getByRole('row', { name: 'Dry (g) 97 96' })).toBeVisible()
  await held.getByRole('button', { name: 'Keep theirs' }).click()
  await held.getByRole('button', { name: 'Keep theirs' }).click()
  await expect(held).toBeHidden()
  await expect(page.getByRole('gridcell', { name: /^#1, Dry.*96/ })).toBeVisible()
  await enter('#1, Trim', '12')
  await page.getByRole('button', { name: 'Save 1 harvest' }).click()
  await expect.poll(harvests).toMatchObject([{ harvestedOn: '2026-11-01', wetGrams: 400, dryGrams: 96, trimGrams: 12 }])

  // The helper has recorded #2 by the time the table sends it.
  let isRecorded = false
  await page.route('**/harvests', async (route) => {
    if (route.request().method() === 'POST' && !isRecorded) {
      isRecorded = true
      await record(2, 390)
    }
    await route.continue()
  })
  await enter('#2, Wet', '395')
  await enter('#3, Wet', '300')
  await page.getByLabel('Type their numbers to harvest them').fill('2, 3')
  await page.getByRole('button', { name: 'Save 2 harvests' }).click()
  await expect(held.getByText('#2 already has a different harvest.')).toBeVisible()
  await expect(held.getByText('Wet (g) 395')).toBeVisible()
  await held.getByRole('button', { name: 'Send the other' }).click()
  await expect.poll(weights).toEqual(new Set([400, 390, 300]))
  await expect(held.getByRole('heading', { name: 'Harvest of #2' })).toBeVisible()

  await page.goto(`/pheno-hunt/${id}/plants/3`)
  await page.getByRole('button', { name: 'More actions for #3' }).click()
  await page.getByRole('menuitem', { name: 'Delete harvest' }).click()
  await expect(page.getByText('1 alive')).toBeVisible()
  await toastWith(page, 'Harvest of #3 deleted').getByRole('button', { name: 'Undo' }).click()
  await expect(toastWith(page, 'Harvest of #3 restored')).toBeVisible()
  await expect.poll(weights).toEqual(new Set([400, 390, 300]))
})
