import { PDFDocument } from '@cantoo/pdf-lib'
import jsqr from 'jsqr'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type LabelSheet, labelSheets, labelsOf } from '#contracts/labels.rules.ts'
import { qrCodeRuns } from '#server/kernel/pdf.ts'
import { addHunt, addPlants, shareHunt } from '#tests/support/hunts.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { drawLabels, placeOnSheet } from './index.ts'

describe('a sheet', () => {
  it.each(Object.entries<LabelSheet>(labelSheets))('fits the labels of %s on the paper with equal margins and no overlap', (_, sheet) => {
    const last = placeOnSheet(sheet, labelsOf(sheet) - 1)
    expect(sheet.left + last.left + sheet.width).toBeCloseTo(sheet.paperWidth, 1)
    expect(sheet.top + last.top + sheet.height).toBeCloseTo(sheet.paperHeight, 1)
    expect(sheet.pitchX).toBeGreaterThanOrEqual(sheet.width)
    expect(sheet.pitchY).toBeGreaterThanOrEqual(sheet.height)
  })
})

describe('the code on a label', () => {
  /** Decodes the dark and light dots, as a camera would. */
  function decode(text: string): string | undefined {
    const { size, stretches } = qrCodeRuns(text)
    const dots = 3
    const side = size * dots
    const pixels = new Uint8ClampedArray(side * side * 4).fill(255)
    for (const { x, y, length } of stretches) {
      for (let py = y * dots; py < (y + 1) * dots; py++) {
        for (let px = x * dots; px < (x + length) * dots; px++) pixels.fill(0, (py * side + px) * 4, (py * side + px) * 4 + 3)
      }
    }
    return jsqr.default(pixels, side, side)?.data
  }

  it.each(['https://sungrove.example/pheno-hunt/log/7K3M9XQ2', 'http://192.168.1.20:3000/taste/Zk3-_0aQpL9xWmTn1bVc4g'])(
    'decodes to the text that it encodes: %s',
    (text) => {
      expect(decode(text)).toBe(text)
    },
  )

  it('has a quiet zone of four modules', () => {
    const { size, stretches } = qrCodeRuns('https://sungrove.example')
    expect(Math.min(...stretches.map(({ x }) => x))).toBe(4)
    expect(Math.min(...stretches.map(({ y }) => y))).toBe(4)
    expect(Math.max(...stretches.map(({ x, length }) => x + length))).toBe(size - 4)
  })
})

describe('a series of labels', () => {
  const labels = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ name: `#${i}`, label: '', code: '7K3M9XQ2', url: 'https://a.example', huntName: null }))
  const pagesOf = async (sheet: LabelSheet, count: number, start: number) => {
    const document = await PDFDocument.load(await drawLabels(sheet, labels(count), start, 'Sungrove'))
    return document.getPages().map((page) => [Math.round(page.getWidth()), Math.round(page.getHeight())])
  }

  it('begins at a half-used sheet’s next free label and continues on the next sheet', async () => {
    const sheet = labelSheets['avery-5160']
    expect(await pagesOf(sheet, 30, 1)).toEqual([[612, 792]])
    expect(await pagesOf(sheet, 30, 2)).toHaveLength(2)
    expect(await pagesOf(sheet, 1, 30)).toHaveLength(1)
    expect(await pagesOf(sheet, 2, 30)).toHaveLength(2)
    expect(await pagesOf(labelSheets['avery-l7160'], 43, 1)).toEqual(Array.from({ length: 3 }, () => [595, 842]))
  })
})

describe('the file', () => {
  let test: TestApp
  let owner: TestPerson
  let stranger: TestPerson
  let huntId: string
  let plants: Awaited<ReturnType<typeof addPlants>>

  beforeAll(async () => {
    test = await startTestApp()
    owner = await test.signUp()
    stranger = await test.signUp()
  })
  afterAll(() => test?.close())
  beforeEach(async () => {
    await test.db.deleteFrom('hunts').execute()
    huntId = (await addHunt(test.db, owner.user.id)).id
    plants = await addPlants(test.db, huntId, 31)
  })
  const file = (query = '', as: TestPerson | null = owner) => test.request('GET', `/api/pheno-hunts/${huntId}/labels.pdf${query}`, as)
  const pages = async (query: string) => (await PDFDocument.load((await file(query)).rawPayload)).getPageCount()

  it('has a label for each living or selected plant', async () => {
    const { headers } = await file()
    expect(headers).toMatchObject({ 'content-type': 'application/pdf', 'content-disposition': 'attachment; filename="plant-labels.pdf"' })
    expect(await pages('')).toBe(2)
    await test.db
      .updateTable('plants')
      .set({ ended_on: '2026-11-01', ended_how: 'culled' })
      .where('id', '=', plants[0]?.id as string)
      .execute()
    expect(await pages('')).toBe(1)
    expect(await pages('?plants=1,2,3&sheet=avery-l7160&start=20&name=yes')).toBe(2)
  })

  it('is refused if a requested plant or sheet doesn’t exist', async () => {
    for (const query of ['?plants=7-1', '?plants=99', '?plants=x', '?sheet=none', '?start=0']) {
      expect((await file(query)).statusCode, query).toBe(400)
    }
    expect((await file('?plants=7-1')).json()).toMatchObject({ fields: { plants: 'This hunt has no plant #7-1' } })
  })

  it('reveals nothing to a stranger, not even through codes', async () => {
    expect((await file('', null)).statusCode).toBe(401)
    expect((await file('', stranger)).statusCode).toBe(404)
    const code = plants[0]?.code as string
    expect((await test.request('GET', `/api/plant-codes/${code}`, owner)).json()).toMatchObject({ name: '#1' })
    const [scanned, guessed] = [
      await test.request('GET', `/api/plant-codes/${code}`, stranger),
      await test.request('GET', '/api/plant-codes/ZZZZZZZZ', stranger),
    ]
    expect([scanned.statusCode, scanned.body]).toEqual([404, guessed.body])
    await shareHunt(test.db, huntId, stranger.user.id, 'view')
    expect((await file('', stranger)).statusCode).toBe(200)
  })
})
