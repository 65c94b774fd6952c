import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Panel } from '#contracts/blind-panels.ts'
import { untilWaiting } from '#tests/support/locks.ts'
import { type Card, number, options, type PanelWorld, startPanelWorld, tokenOf } from '#tests/support/panels.ts'

let w: PanelWorld
let { test, world, owner, writer, send, plantId, open, print, answer } = {} as PanelWorld
beforeAll(async () => {
  w = await startPanelWorld()
  ;({ test, world, owner, writer, send, plantId, open, print, answer } = w)
})
afterAll(() => w?.test.close())
beforeEach(() => w.renew())

describe('a tester', () => {
  let panel: Panel
  let token: string
  beforeEach(async () => {
    panel = await open({ instructions: 'Grind it first' })
    token = tokenOf((await print(panel))[0] as Card)
  })

  it('sees the jar and the questions but nothing about the hunt', async () => {
    const found = await test.request('GET', `/api/taste/${token}`)
    expect(found.json()).toEqual({
      state: 'open',
      jarName: panel.jars[0]?.jarName,
      instructions: 'Grind it first',
      questions: [expect.objectContaining({ question: 0, name: 'Aroma', kind: 'ordinal' }), expect.objectContaining({ question: 1 })],
    })
    const said = found.body + JSON.stringify(found.headers)
    for (const secret of ['Phellodendron', 'Cup', world.huntId, panel.id, owner.user.id, world.aroma, plantId(0), plantId(1), '#1']) {
      expect(said, secret).not.toContain(secret)
    }
  })

  it('answers once, without an account or a cookie', async () => {
    const said = [number(0, 2), options(1, 2, 0)]
    const first = await answer(token, said, { taster: 'Ada', comment: 'Lovely' })
    expect(first.statusCode, first.body).toBe(200)
    expect(first.headers['set-cookie']).toBeUndefined()
    expect(first.json()).toEqual({ state: 'answered', jarName: panel.jars[0]?.jarName, instructions: '', questions: [] })
    // A retry, as after a lost response; the order of options doesn't matter.
    const again = await answer(token, [options(1, 0, 2), number(0, 2)], { taster: 'Ada', comment: 'Lovely' })
    expect([again.statusCode, again.json()]).toEqual([200, first.json()])
    for (const [scores, more] of [
      [[number(0, 1), options(1, 0, 2)], { taster: 'Ada', comment: 'Lovely' }],
      [said, { taster: 'Bob', comment: 'Lovely' }],
      [[number(0, 2)], { taster: 'Ada', comment: 'Lovely' }],
    ] as const) {
      expect((await answer(token, [...scores], more)).statusCode).toBe(409)
    }
    expect(await test.db.selectFrom('panel_scores').selectAll().execute()).toHaveLength(2)
  })

  it('is refused if an option they chose is being removed', async () => {
    const { call } = await test.db.transaction().execute(async (tx) => {
      const left = JSON.stringify([{ value: 0, label: 'faint' }])
      await tx.updateTable('traits').set({ options: left }).where('id', '=', world.aroma).execute()
      await sql`lock table panel_scores in access exclusive mode`.execute(tx)
      const call = answer(token, [number(0, 2)])
      await untilWaiting(test.db, { statement: 'panel_' })
      return { call }
    })
    expect((await call).statusCode).toBe(400)
    expect(await test.db.selectFrom('panel_scores').selectAll().execute()).toEqual([])
  })

  it('has exactly one of several concurrent answers recorded', async () => {
    const more = await print(await open({ cardsPerJar: 4 }))
    await w.meetAtOnce(6)
    for (const card of more) {
      const answers = await Promise.all([0, 1, 2, 0, 1, 2].map((value) => answer(tokenOf(card), [number(0, value)])))
      expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 200, 409, 409, 409, 409])
    }
    expect(await test.db.selectFrom('panel_scores').selectAll().execute()).toHaveLength(more.length)
  })

  it('must be of legal age and submit valid answers', async () => {
    const refused = async (body: object, field: RegExp) => {
      const { statusCode, body: said } = await test.request('POST', `/api/taste/${token}`, null, body)
      expect(statusCode, said).toBe(400)
      expect(Object.keys(JSON.parse(said).fields)[0]).toMatch(field)
    }
    await refused({ scores: [number(0, 1)] }, /isAdult/)
    await refused({ isAdult: false, scores: [number(0, 1)] }, /isAdult/)
    await refused({ isAdult: true, scores: [] }, /scores/)
    await refused({ isAdult: true, scores: [number(0, 7)] }, /scores\.0/)
    await refused({ isAdult: true, scores: [number(5, 1)] }, /scores\.0/)
    await refused({ isAdult: true, scores: [number(0, 1), number(0, 1)] }, /scores\.1/)
    await refused({ isAdult: true, scores: [options(1, 9)] }, /scores\.0/)
    expect(await send('GET', `/api/taste/${token}`, null)).toMatchObject({ state: 'open' })
  })

  it('may be signed in, and may even have write access to the hunt', async () => {
    expect((await answer(token, [number(0, 1)], {}, writer)).statusCode).toBe(200)
  })

  it('is refused when another site sends the answer', async () => {
    const { statusCode } = await test.app.inject({
      method: 'POST',
      url: `/api/taste/${token}`,
      headers: { origin: 'https://evil.example' },
      payload: { isAdult: true, scores: [number(0, 1)] },
    })
    expect(statusCode).toBe(403)
  })

  it('sees that the panel is closed, and can no longer answer', async () => {
    await send('PUT', `/api/blind-panels/${panel.id}/closed`, owner)
    expect(await send('GET', `/api/taste/${token}`, null)).toEqual({
      state: 'closed',
      jarName: panel.jars[0]?.jarName,
      instructions: '',
      questions: [],
    })
    expect((await answer(token, [number(0, 1)])).statusCode).toBe(409)
  })

  it('learns nothing by guessing, because every response is the same', async () => {
    const close = await open({ name: 'Closed' })
    await send('PUT', `/api/blind-panels/${close.id}/closed`, owner)
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const guess = () => Array.from({ length: 22 }, () => alphabet[Math.floor(Math.random() * 64)]).join('')
    const answers = new Set<string>()
    const guesses = [...Array.from({ length: 1000 }, guess), `${token.slice(0, -1)}_`, token.toLowerCase(), panel.id, 'none']
    for (const each of guesses) {
      const { statusCode, body, headers } = await test.request('GET', `/api/taste/${each}`)
      answers.add(JSON.stringify([statusCode, body, Object.keys(headers).toSorted()]))
    }
    expect(answers.size).toBe(1)
    expect([...answers][0]).toContain('404')
    for (const each of guesses.slice(-5)) {
      const { statusCode, body } = await answer(each, [number(0, 1)])
      expect([statusCode, body]).toEqual([404, (await test.request('GET', '/api/taste/none')).body])
    }
  })
})

describe('the rate limit', () => {
  it('applies to each IPv4 address and to each IPv6 /64 as a whole, even to members', async () => {
    const strict = await startPanelWorld({ RATE_LIMIT_SCALE: '0.2', TRUST_PROXY: '1' })
    const ask = (ip: string, cookie = '') =>
      strict.test.app.inject({ url: '/api/taste/none', headers: { 'x-forwarded-for': ip, ...(cookie ? { cookie } : {}) } })
    const codes: number[] = []
    for (let i = 0; i < 25; i++) codes.push((await ask(`2001:db8:1:2::${i}`, i % 2 ? strict.owner.cookie : '')).statusCode)
    expect(codes).toEqual([...Array.from({ length: 24 }, () => 404), 429])
    expect((await ask('2001:db8:1:3::1', strict.owner.cookie)).statusCode).toBe(404)
    codes.length = 0
    // A proxy may write the same IPv4 address in two ways.
    for (let i = 0; i < 25; i++) codes.push((await ask(i % 2 ? '203.0.113.7' : '::ffff:203.0.113.7')).statusCode)
    expect(codes).toEqual([...Array.from({ length: 24 }, () => 404), 429])
    expect((await ask('203.0.113.8')).statusCode).toBe(404)
    await strict.test.close()
  })
})
