import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { streetsFile, tileArchiveUrl } from './map-tiles.ts'

let site: TestApp
beforeAll(async () => {
  site = await startTestApp()
})
afterAll(() => site.close())

const get = (url: string, headers: Record<string, string> = {}) => site.app.inject({ method: 'GET', url, headers })

test('sends ranges of the street map as soon as it is installed', async () => {
  const { config } = site.ctx
  expect(tileArchiveUrl(config)).toBeNull()
  expect((await get('/map.pmtiles')).statusCode).toBe(404)

  fs.writeFileSync(streetsFile(config), 'PMTiles and streets')
  const url = tileArchiveUrl(config) as string
  const part = await get(url, { range: 'bytes=8-10' })
  expect([part.statusCode, part.body, part.headers['content-range']]).toEqual([206, 'and', 'bytes 8-10/19'])
  expect(part.headers['cache-control']).toContain('immutable')
  expect((await get(url, { range: 'bytes=90-99' })).statusCode).toBe(416)
})

test('sends nothing from a newer file to a page that uses an older one', async () => {
  const { config } = site.ctx
  const before = tileArchiveUrl(config) as string
  fs.writeFileSync(`${streetsFile(config)}.new`, 'PMTiles and more streets')
  fs.renameSync(`${streetsFile(config)}.new`, streetsFile(config))
  const after = tileArchiveUrl(config) as string
  expect(after).not.toBe(before)
  const old = await get(before, { range: 'bytes=0-6' })
  expect([old.statusCode, old.headers['cache-control']]).toEqual([404, 'no-store'])
  expect((await get(after, { range: 'bytes=0-6' })).body).toBe('PMTiles')
})

test('gives the same archive the same address on every node', () => {
  const { config } = site.ctx
  const before = tileArchiveUrl(config)
  fs.utimesSync(streetsFile(config), new Date('2026-01-01'), new Date('2026-01-01'))
  expect(tileArchiveUrl(config)).toBe(before)
})

test('prefers configured tiles to an installed street map', () => {
  const dataDir = path.dirname(streetsFile(site.ctx.config))
  const remote = 'https://tiles.example.net/us.pmtiles'
  expect(tileArchiveUrl({ dataDir, map: { tileUrl: undefined, pmtiles: remote } })).toBe(remote)
  expect(tileArchiveUrl({ dataDir, map: { tileUrl: 'https://tiles.example.net/{z}/{x}/{y}.pbf', pmtiles: undefined } })).toBeNull()
})
