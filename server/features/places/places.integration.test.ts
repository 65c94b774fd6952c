import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Place } from '#contracts/search.endpoints.ts'
import type { CityContent } from '#contracts/visitor-pages.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { startTestApp, type TestApp, visitorPageOf } from '#tests/support/test-app.ts'

let test: TestApp

beforeAll(async () => {
  test = await startTestApp({ hasVisitorPages: true, startsAt: new Date('2026-11-25T12:00:00Z') })
})
afterAll(() => test?.close())

const suggest = (q: string) => test.request('GET', `/api/places?q=${encodeURIComponent(q)}`)

it('suggests places to visitors, the largest first', async () => {
  const places = (await suggest('denv')).json() as Place[]
  expect(places[0]).toMatchObject({ kind: 'city', label: 'Denver, CO', state: 'CO' })
  expect(((await suggest('8020')).json() as Place[]).map((place) => place.name)).toContain('80202')
  expect((await suggest('qqqqq')).json()).toEqual([])
})

it('requires a query', async () => {
  expect((await suggest(' ')).statusCode).toBe(400)
  expect((await test.request('GET', '/api/places')).statusCode).toBe(400)
})

it('pages through a city’s businesses without skipping or repeating any while they open', async () => {
  const names = Array.from({ length: 45 }, (_, i) => `Shop ${i}`)
  for (const name of names) {
    const { id } = await addBusiness(test.db, { name, city: 'Golden', location: 'Golden, CO' })
    await test.db.insertInto('locations').values({ id, business_id: id, name, time_zone: 'America/Denver', has_hours: true }).execute()
    const hours = Array.from({ length: 7 }, (_, weekday) => ({ location_id: id, weekday, opens: 540, closes: 1260 }))
    await test.db.insertInto('location_hours').values(hours).execute()
  }
  const pageAt = async (time: string, query: string) => {
    test.clock.set(time)
    const { statusCode, body } = await test.app.inject({ url: `/places/colorado/golden?sort=open${query}` })
    expect(statusCode, body).toBe(200)
    return visitorPageOf(body).content as CityContent
  }
  const first = await pageAt('2026-11-25T15:59:00Z', '')
  const second = await pageAt('2026-11-25T16:01:00Z', `&cursor=${first.nextCursor}`)
  expect([...first.businesses, ...second.businesses].map(({ name }) => name)).toEqual([...names].sort())
})
