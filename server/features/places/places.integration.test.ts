import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Place } from '#contracts/search.endpoints.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'

let test: TestApp

beforeAll(async () => {
  test = await startTestApp()
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
