import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { compressPage } from './compress-page.ts'

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['br;q=0.5, gzip;q=0.8', 'br'],
  ['gzip;q=1.0, br; q=0', 'gzip'],
  ['br;q=0.000, gzip;q=0', undefined],
  ['identity', undefined],
  ['brotli', undefined],
  [undefined, undefined],
])('sends a browser that accepts %s %s', async (accepted, encoding) => {
  const app = Fastify()
  app.setNotFoundHandler(async (request, reply) => reply.send(await compressPage(request, reply, 'a page')))
  const { headers } = await app.inject({ url: '/', headers: accepted === undefined ? {} : { 'accept-encoding': accepted } })
  expect(headers['content-encoding']).toBe(encoding)
  expect(headers.vary).toBe('accept-encoding')
})
