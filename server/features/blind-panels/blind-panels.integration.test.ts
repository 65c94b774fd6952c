import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { FilledJar, Panel } from '#contracts/blind-panels.ts'
import { newId } from '#server/kernel/ids.ts'
import { addHunt, addPlants } from '#tests/support/hunts.ts'
import { type Card, number, type PanelWorld, startPanelWorld, tokenOf } from '#tests/support/panels.ts'

let w: PanelWorld
let { test, world, owner, writer, viewer, stranger, send, addTrait, plantId, newPanel, open, list, print, jarOf, answer } = {} as PanelWorld
beforeAll(async () => {
  w = await startPanelWorld()
  ;({ test, world, owner, writer, viewer, stranger, send, addTrait, plantId, newPanel, open, list, print, jarOf, answer } = w)
})
afterAll(() => w?.test.close())
beforeEach(() => w.renew())

describe('a panel', () => {
  it('has one jar per plant, each with a random name, and as many cards as requested', async () => {
    const panel = await open({ cardsPerJar: 3, instructions: 'Grind it first' })
    expect(panel).toMatchObject({ name: 'Cup', instructions: 'Grind it first', isOpen: true, closedAt: null, version: 1 })
    expect(panel.traits.map(({ name }) => name)).toEqual(['Aroma', 'Smells of'])
    expect(panel.jars.map(({ jarName }) => jarName)).toEqual(panel.jars.map(({ jarName }) => jarName).toSorted())
    expect(jarOf(panel, 0)).toMatchObject({ cureDays: 30, cards: 3, answered: 0, unprinted: 3, plant: { number: 1, name: '#1' } })
    expect(await list()).toEqual([panel])
    expect(await w.events()).toEqual(['panel.opened'])
  })

  it('is created once when sent twice', async () => {
    const id = newId()
    const first = await open({ id })
    expect(await open({ id, name: 'Other' })).toEqual(first)
    expect(await list()).toHaveLength(1)
    const other = (await addHunt(test.db, owner.user.id)).id
    const [a, b] = await addPlants(test.db, other, 2)
    const elsewhere = { ...newPanel({ id }), jars: [{ plantId: a?.id }, { plantId: b?.id }] }
    expect((await test.request('POST', `/api/pheno-hunts/${other}/blind-panels`, owner, elsewhere)).statusCode).toBe(409)
  })

  it('accepts only scorable traits, and only plants from its own hunt', async () => {
    const photo = await addTrait({ name: 'Bud', kind: 'photo' })
    const logged = await addTrait({ name: 'Rating', kind: 'number', source: 'log_rating' })
    const foreign = await addPlants(test.db, (await addHunt(test.db, owner.user.id)).id, 1)
    const refused = async (details: object, field: string) => {
      const { statusCode, body } = await test.request('POST', `/api/pheno-hunts/${world.huntId}/blind-panels`, owner, newPanel(details))
      expect(statusCode, body).toBe(400)
      expect(Object.keys(JSON.parse(body).fields)[0], body).toMatch(field)
    }
    await refused({ traitIds: [photo] }, 'traitIds')
    await refused({ traitIds: [logged] }, 'traitIds')
    await refused({ traitIds: [newId()] }, 'traitIds')
    await refused({ traitIds: [world.aroma, world.aroma] }, 'traitIds')
    await refused({ traitIds: [] }, 'traitIds')
    await refused({ jars: [{ plantId: plantId(0) }] }, 'jars')
    await refused({ jars: [{ plantId: plantId(0) }, { plantId: plantId(0) }] }, 'jars')
    await refused({ jars: [{ plantId: plantId(0) }, { plantId: foreign[0]?.id }] }, 'jars')
    await refused({ name: ' ' }, 'name')
    expect(await list()).toEqual([])
  })

  it('shows which plants go into hidden jars to only one person until the panel is closed', async () => {
    const panel = await open({ hidesJars: true })
    const jarList = (as: typeof owner) => test.request('POST', `/api/blind-panels/${panel.id}/jar-list`, as)
    const plantsSeenBy = async (as: typeof owner) => (await list(as))[0]?.jars.map(({ plant }) => plant?.name ?? null)
    expect(panel).toMatchObject({ hidesJars: true, filledBy: null })
    expect([panel.jars.map(({ plant }) => plant), await plantsSeenBy(owner)]).toEqual([
      [null, null],
      [null, null],
    ])
    expect((await jarList(viewer)).statusCode).toBe(403)
    expect((await jarList(stranger)).statusCode).toBe(404)
    const [one, other] = [await jarList(writer), await jarList(writer)]
    expect([one.statusCode, other.json()]).toEqual([200, one.json()])
    const filled = one.json() as FilledJar[]
    expect(filled.map(({ plant }) => plant.name).toSorted()).toEqual(['#1', '#2'])
    expect((await jarList(owner)).statusCode).toBe(409)
    expect((await list(owner))[0]?.filledBy).toMatchObject({ person: { id: writer.user.id }, isYou: false })
    expect((await list(writer))[0]?.filledBy?.isYou).toBe(true)
    expect(await plantsSeenBy(writer)).toEqual([null, null])
    expect(await w.events()).toEqual(['panel.filled', 'panel.opened'])

    const closed = await w.close(panel)
    expect(closed.jars.map(({ jarName, plant }) => [jarName, plant?.name])).toEqual(
      filled.map(({ jarName, plant }) => [jarName, plant.name]),
    )
    expect((await jarList(writer)).statusCode).toBe(409)
    expect((await test.request('POST', `/api/blind-panels/${(await open()).id}/jar-list`, owner)).statusCode).toBe(409)
  })

  it('hides from viewers which plant is in which jar until the panel is closed', async () => {
    const panel = await open()
    expect((await list(viewer))[0]?.jars.map(({ plant }) => plant)).toEqual([null, null])
    expect((await list(writer))[0]?.jars.every(({ plant }) => plant !== null)).toBe(true)
    await send('PUT', `/api/blind-panels/${panel.id}/closed`, owner)
    expect((await list(viewer))[0]?.jars.every(({ plant }) => plant !== null)).toBe(true)
  })

  it('can be changed only from its current version', async () => {
    const panel = await open()
    const change = { name: 'Second cup', version: 1 }
    expect(await send('PATCH', `/api/blind-panels/${panel.id}`, writer, change)).toMatchObject({ name: 'Second cup', version: 2 })
    expect(await send('PATCH', `/api/blind-panels/${panel.id}`, writer, change)).toMatchObject({ version: 2 })
    expect((await test.request('PATCH', `/api/blind-panels/${panel.id}`, owner, { name: 'Third', version: 1 })).statusCode).toBe(409)
  })

  it('is deleted with all its contents', async () => {
    const panel = await open()
    const [card] = await print(panel)
    await send('DELETE', `/api/blind-panels/${panel.id}`, writer, undefined, 204)
    expect(await list()).toEqual([])
    expect((await test.request('GET', `/api/taste/${tokenOf(card as Card)}`)).statusCode).toBe(404)
    expect((await test.request('DELETE', `/api/blind-panels/${panel.id}`, writer)).statusCode).toBe(404)
  })
})

describe('a card', () => {
  it('has a 128-bit token that is stored only as a hash', async () => {
    const panel = await open({ cardsPerJar: 2 })
    const { cards, pdf, panel: after } = await send('POST', `/api/blind-panels/${panel.id}/prints`, owner, {})
    expect(cards).toHaveLength(4)
    expect(new Set(cards.map(tokenOf)).size).toBe(4)
    for (const card of cards) expect(card.url).toMatch(/^https:\/\/sungrove\.example\/taste\/[A-Za-z0-9_-]{22}$/)
    expect(Buffer.from(pdf, 'base64').subarray(0, 5).toString()).toBe('%PDF-')
    expect(after.jars.every(({ unprinted }: { unprinted: number }) => unprinted === 0)).toBe(true)
    const kept = JSON.stringify(await test.db.selectFrom('panel_cards').selectAll().execute())
    for (const card of cards) expect(kept).not.toContain(tokenOf(card))
    expect(JSON.stringify(await test.db.selectFrom('idempotency_keys').selectAll().execute())).not.toContain(tokenOf(cards[0]))
  })

  it('is printed separately when new, and a reprint voids its old code', async () => {
    const panel = await open()
    const first = await print(panel)
    expect((await test.request('POST', `/api/blind-panels/${panel.id}/prints`, owner, {})).statusCode).toBe(409)
    await send('PUT', `/api/blind-panels/${panel.id}/cards`, owner, { jars: [{ jarId: jarOf(panel, 0).id, cards: 3 }] })
    const second = await print(panel)
    expect(second.map(({ cardNumber }) => cardNumber)).toEqual([2, 3])
    for (const card of [...first, ...second]) await send('GET', `/api/taste/${tokenOf(card)}`, null)
    expect((await answer(tokenOf(first[0] as Card), [number(0, 1)])).statusCode).toBe(200)
    const third = await print(panel, { cards: 'unanswered', paper: 'A4' })
    expect(third).toHaveLength(3)
    expect((await test.request('GET', `/api/taste/${tokenOf(first[1] as Card)}`)).statusCode).toBe(404)
    expect(await send('GET', `/api/taste/${tokenOf(first[0] as Card)}`, null)).toMatchObject({ state: 'answered' })
  })

  it('can be added and removed unless answered, and never reuses a number', async () => {
    const panel = await open({ cardsPerJar: 2 })
    const jar = jarOf(panel, 0)
    const cards = (await print(panel)).filter(({ jarName }) => jarName === jar.jarName)
    await answer(tokenOf(cards[0] as Card), [number(0, 1)])
    const set = (count: number) =>
      test.request('PUT', `/api/blind-panels/${panel.id}/cards`, owner, { jars: [{ jarId: jar.id, cards: count }] })
    expect((await set(0)).json()).toMatchObject({
      code: 'conflict',
      message: `1 card for jar ${jar.jarName} has been answered and can’t be removed.`,
    })
    expect((await set(1)).statusCode).toBe(200)
    expect((await set(1)).statusCode).toBe(200)
    expect((await test.request('GET', `/api/taste/${tokenOf(cards[1] as Card)}`)).statusCode).toBe(404)
    expect((await set(2)).statusCode).toBe(200)
    expect((await print(panel)).map(({ cardNumber }) => cardNumber)).toEqual([3])
    expect(jarOf((await list())[0] as Panel, 0)).toMatchObject({ cards: 2, answered: 1, unprinted: 0 })
    const foreign = { jars: [{ jarId: newId(), cards: 1 }] }
    expect((await test.request('PUT', `/api/blind-panels/${panel.id}/cards`, owner, foreign)).statusCode).toBe(400)
  })
})

describe('access', () => {
  it('depends on the person’s share: to view, to write, or none', async () => {
    const panel = await open()
    const jarId = panel.jars[0]?.id as string
    const calls = [
      ['GET', `/api/pheno-hunts/${world.huntId}/blind-panels`, undefined, 'view'],
      ['POST', `/api/pheno-hunts/${world.huntId}/blind-panels`, newPanel(), 'write'],
      ['PATCH', `/api/blind-panels/${panel.id}`, { instructions: 'Smell', version: 1 }, 'write'],
      ['PUT', `/api/blind-panels/${panel.id}/cards`, { jars: [{ jarId, cards: 2 }] }, 'write'],
      ['POST', `/api/blind-panels/${panel.id}/prints`, {}, 'write'],
      ['PUT', `/api/blind-panels/${panel.id}/closed`, undefined, 'write'],
      ['GET', `/api/blind-panels/${panel.id}/results`, undefined, 'view'],
      ['GET', `/api/blind-panels/${panel.id}/results.csv`, undefined, 'view'],
      ['DELETE', `/api/blind-panels/${panel.id}`, undefined, 'write'],
    ] as const
    const other = (address: string) => address.replace(panel.id, newId()).replace(world.huntId, newId())
    for (const [method, address, body, needs] of calls) {
      const what = `${method} ${address}`
      expect((await test.request(method, address, null, body)).statusCode, what).toBe(401)
      const refused = await test.request(method, address, stranger, body)
      const absent = await test.request(method, other(address), stranger, body)
      expect([refused.statusCode, refused.body], what).toEqual([404, absent.body])
      const seen = (await test.request(method, address, viewer, body)).statusCode
      if (needs === 'write') expect(seen, what).toBe(403)
      else expect([200, 409], what).toContain(seen)
      const done = await test.request(method, address, writer, body)
      expect(done.statusCode, `${what}: ${done.body}`).toBeLessThan(300)
    }
  })
})
