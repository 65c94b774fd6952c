import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { compressPage, readPageFiles } from './page-files.ts'

const names = [
  'index',
  '$brandSlug',
  'messages.{-$id}',
  'people.$id',
  'people.$id_.$list',
  'business.register',
  'business.$id',
  'post.$id_.edit',
]

function filesOf(routes: string[]) {
  const dist = fs.mkdtempSync(path.join(os.tmpdir(), 'sungrove-page-files-'))
  fs.mkdirSync(path.join(dist, '.vite'))
  const manifest = Object.fromEntries(routes.map((name) => [`routes/${name}.tsx?tsr-split=component`, { file: `${name}.js` }]))
  fs.writeFileSync(path.join(dist, '.vite/manifest.json'), JSON.stringify(manifest))
  const files = readPageFiles(dist)
  fs.rmSync(dist, { recursive: true })
  return files
}

test.each([
  ['/', 'index'],
  ['/sungrove', '$brandSlug'],
  ['/messages', 'messages.{-$id}'],
  ['/messages/1', 'messages.{-$id}'],
  ['/people/1', 'people.$id'],
  ['/people/1/followers', 'people.$id_.$list'],
  ['/business/register', 'business.register'],
  ['/business/green-hills', 'business.$id'],
  ['/post/1/edit', 'post.$id_.edit'],
])('finds the loader and component files of the route for %s', (pathname, route) => {
  expect(filesOf(names).routeKeysAt(pathname)).toEqual([`routes/${route}.tsx?tsr-split=loader`, `routes/${route}.tsx?tsr-split=component`])
})

test('finds no route for other paths', () => {
  expect(filesOf(names).routeKeysAt('/people/1/followers/2')).toEqual([])
})

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['br;q=0.5, gzip;q=0.8', 'br'],
  ['gzip;q=1.0, br; q=0', 'gzip'],
  ['br;q=0.000, gzip;q=0', undefined],
  ['identity', undefined],
  ['brotli', undefined],
  [undefined, undefined],
])('responds to Accept-Encoding “%s” with the encoding %s', async (accepted, encoding) => {
  const app = Fastify()
  app.setNotFoundHandler(async (request, reply) => reply.send(await compressPage(request, reply, 'a page')))
  const { headers } = await app.inject({ url: '/', headers: accepted === undefined ? {} : { 'accept-encoding': accepted } })
  expect(headers['content-encoding']).toBe(encoding)
  expect(headers.vary).toBe('accept-encoding')
})
