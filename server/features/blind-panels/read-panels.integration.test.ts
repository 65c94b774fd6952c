import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Panel } from '#contracts/blind-panels.ts'
import { traitRecordsOf } from '#contracts/trait-records.ts'
import { type Card, number, options, type PanelWorld, startPanelWorld, tokenOf } from '#tests/support/panels.ts'

let w: PanelWorld
let { test, world, owner, writer, viewer, stranger, send, open, list, print, jarOf, answer } = {} as PanelWorld
beforeAll(async () => {
  w = await startPanelWorld()
  ;({ test, world, owner, writer, viewer, stranger, send, open, list, print, jarOf, answer } = w)
})
afterAll(() => w?.test.close())
beforeEach(() => w.renew())

describe('the result', () => {
  let panel: Panel
  let cards: Card[]
  const cardsFor = (i: number) => cards.filter(({ jarName }) => jarName === jarOf(panel, i).jarName)

  beforeEach(async () => {
    panel = await open({ cardsPerJar: 3 })
    cards = await print(panel)
    test.clock.advance({ days: 1 })
    const said = [
      [0, 0, [number(0, 2), options(1, 0, 1)], { taster: 'Ada', comment: 'Loud' }],
      [0, 1, [number(0, 1), options(1, 0)], { taster: '=cmd()' }],
      [1, 0, [number(0, 0)], {}],
    ] as const
    for (const [jar, card, scores, more] of said) {
      expect((await answer(tokenOf(cardsFor(jar)[card] as Card), [...scores], more)).statusCode).toBe(200)
    }
  })
  const close = () => w.close(panel)
  const recordsOf = async () => traitRecordsOf(await send('GET', `/api/pheno-hunts/${world.huntId}/trait-records`, owner))

  it('is hidden from everyone while the panel is open, except for the number of answers', async () => {
    expect(await recordsOf()).toEqual([])
    for (const person of [owner, writer, viewer]) {
      expect((await test.request('GET', `/api/blind-panels/${panel.id}/results`, person)).statusCode).toBe(409)
      expect((await test.request('GET', `/api/blind-panels/${panel.id}/results.csv`, person)).statusCode).toBe(409)
      const said = (await test.request('GET', `/api/pheno-hunts/${world.huntId}/blind-panels`, person)).body
      expect(said).not.toMatch(/Ada|Loud/)
    }
    const traitsSeen = await send('GET', `/api/pheno-hunts/${world.huntId}/traits`, owner)
    expect(traitsSeen.map(({ valuesCount }: { valuesCount: number }) => valuesCount)).toEqual([0, 0])
    expect((await list())[0]?.jars.map(({ answered }) => answered).toSorted()).toEqual([1, 2])
  })

  it('is final once the panel is closed, and its values count as blind scores from then on', async () => {
    const closed = await close()
    expect(closed).toMatchObject({ isOpen: false, closedAt: expect.any(String), version: 2 })
    test.clock.advance({ hours: 1 })
    expect(await close()).toEqual(closed)
    expect(await w.events()).toEqual(['panel.closed', 'panel.opened'])
    const aroma = (await recordsOf()).filter(({ traitId }) => traitId === world.aroma)
    expect(
      aroma.map(({ plantId: id, number: n, isBlind }) => [world.plants.findIndex((plant) => plant.id === id), n, isBlind]).toSorted(),
    ).toEqual([
      [0, 1, true],
      [0, 2, true],
      [1, 0, true],
    ])
    for (const [method, path, body] of [
      ['PUT', 'cards', { jars: [] }],
      ['POST', 'prints', {}],
    ] as const) {
      expect((await test.request(method, `/api/blind-panels/${panel.id}/${path}`, owner, body)).statusCode).toBe(409)
    }
  })

  it('has a mean, a deviation, and one agreement figure per trait', async () => {
    await close()
    const results = await send('GET', `/api/blind-panels/${panel.id}/results`, viewer)
    const ofJar = (i: number) => results.jars.find(({ jarId }: { jarId: string }) => jarId === jarOf(panel, i).id)
    const [aroma, smell] = ofJar(0).figures
    expect(aroma).toMatchObject({ traitId: world.aroma, count: 2, mean: 1.5 })
    expect(aroma.deviation).toBeCloseTo(Math.SQRT1_2, 12)
    expect(smell).toMatchObject({
      count: 2,
      mean: null,
      deviation: null,
      options: [
        { value: 0, count: 2 },
        { value: 1, count: 1 },
        { value: 2, count: 0 },
      ],
    })
    expect(ofJar(1).figures[0]).toMatchObject({ count: 1, mean: 0, deviation: null })
    expect(ofJar(0).cards.map(({ taster }: { taster: string }) => taster)).toEqual(['Ada', '=cmd()'])
    expect(results.agreement).toEqual([
      { traitId: world.aroma, measure: 'deviation', value: expect.closeTo(Math.SQRT1_2, 12) },
      { traitId: world.smell, measure: 'pairs', value: 0.5 },
    ])
  })

  it('exports no formulas that a spreadsheet would run', async () => {
    await close()
    const { body, headers } = await test.request('GET', `/api/blind-panels/${panel.id}/results.csv`, viewer)
    expect(headers['content-disposition']).toBe('attachment; filename="blind-panel.csv"')
    expect(body.startsWith('\uFEFF')).toBe(true)
    const lines = body.slice(1).trim().split('\r\n')
    expect(lines[0]).toBe('Jar,Plant,Phenotype,Cure (days),Card,Answered,Taster,Aroma,Smells of,Remark')
    expect(lines).toHaveLength(4)
    expect(body).toContain(`${jarOf(panel, 0).jarName},#1,,30,1,`)
    expect(body).toContain(',Ada,2,"citrus; gas",Loud')
    expect(body).toContain("'=cmd()")
  })

  it('hides the testers’ names from viewers of a public hunt', async () => {
    await close()
    await send('PUT', `/api/pheno-hunts/${world.huntId}/visibility`, owner, { visibility: 'public' })
    const seen = await test.request('GET', `/api/blind-panels/${panel.id}/results`, stranger)
    expect(seen.statusCode, seen.body).toBe(200)
    expect(seen.body).not.toMatch(/Ada|Loud/)
    expect((await test.request('GET', `/api/blind-panels/${panel.id}/results.csv`, stranger)).body).not.toMatch(/Ada|Loud/)
    expect((await test.request('GET', `/api/blind-panels/${panel.id}/results`, writer)).body).toMatch(/Ada/)
  })

  it('either includes or refuses an answer that arrives while the panel is closing', async () => {
    const token = tokenOf(cardsFor(1)[1] as Card)
    await w.meetAtOnce(2)
    const [late] = await Promise.all([answer(token, [number(0, 1)]), close()])
    const results = await send('GET', `/api/blind-panels/${panel.id}/results`, owner)
    const count = results.jars.flatMap(({ cards: all }: { cards: unknown[] }) => all).length
    expect([late.statusCode, count]).toEqual(late.statusCode === 200 ? [200, 4] : [409, 3])
  })
})
