import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OutsideRefused } from '#server/kernel/context.ts'
import { pictureWithSecrets } from '#tests/support/pictures.ts'
import { createOutside, createPictureFetcher, isPublicAddress } from './call-outside.ts'

let server: http.Server
let port: number
let picture: Buffer
const seen: http.IncomingMessage[] = []

beforeAll(async () => {
  picture = await pictureWithSecrets('png')
  server = http.createServer((request, response) => {
    seen.push(request)
    const url = new URL(request.url ?? '/', 'http://x')
    const redirect = (location: string) => response.writeHead(302, { location }).end()
    if (url.pathname === '/picture') return response.writeHead(200, { 'content-type': 'text/plain' }).end(picture)
    if (url.pathname === '/page') return response.writeHead(200, { 'content-type': 'image/png' }).end('<!doctype html>'.padEnd(500))
    if (url.pathname === '/busy') return response.writeHead(503).end()
    if (url.pathname === '/to') return redirect(url.searchParams.get('url') ?? '')
    if (url.pathname === '/around') {
      const left = Number(url.searchParams.get('left'))
      return redirect(left > 0 ? `/around?left=${left - 1}` : '/picture')
    }
    if (url.pathname === '/slow') return response.writeHead(200).write(picture.subarray(0, 100))
    if (url.pathname === '/endless') {
      response.writeHead(200)
      response.write(picture)
      const more = () => {
        while (response.write(Buffer.alloc(1024 * 1024)));
      }
      response.on('drain', more)
      return more()
    }
    if (url.pathname === '/announced') return response.writeHead(200, { 'content-length': 20 * 1024 * 1024 }).write(picture)
    return response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** As in production, except that this test's server counts as public and its port as a web port. */
const fetcher = (names: Record<string, string[]> = {}, timeLimitMs = 5000) =>
  createPictureFetcher(
    createOutside({
      resolve: async (name) => names[name] ?? [],
      permit: (address, at) => at === port && (address === '127.0.0.1' || isPublicAddress(address)),
    }),
    timeLimitMs,
  )
const own = (path: string) => `http://pictures.example:${port}${path}`
const names = { 'pictures.example': ['127.0.0.1'] }

it('recognizes a picture by its content, not its name, and sends no identifying headers', async () => {
  expect(await fetcher(names)(own('/picture'))).toEqual(picture)
  const { headers } = seen.at(-1) as http.IncomingMessage
  expect(headers.host).toBe(`pictures.example:${port}`)
  expect(Object.keys(headers).sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent'])
})

it('follows three redirects, including relative ones, but not four', async () => {
  expect(await fetcher(names)(own('/around?left=2'))).toEqual(picture)
  await expect(fetcher(names)(own('/around?left=3'))).rejects.toThrow(OutsideRefused)
})

it('rejects anything too large, missing, or not a picture before reading all of it', async () => {
  for (const path of ['/page', '/nothing', '/endless', '/announced']) {
    await expect(fetcher(names)(own(path)), path).rejects.toThrow(OutsideRefused)
  }
})

it('stops after the timeout, and treats a slow or busy site as a temporary failure', async () => {
  const begin = performance.now()
  const error = await fetcher(names, 300)(own('/slow')).catch((each: unknown) => each)
  expect(error).toBeInstanceOf(Error)
  expect(error).not.toBeInstanceOf(OutsideRefused)
  expect(performance.now() - begin).toBeLessThan(3000)
  const busy = await fetcher(names)(own('/busy')).catch((each: unknown) => each)
  expect(busy).toBeInstanceOf(Error)
  expect(busy).not.toBeInstanceOf(OutsideRefused)
})

it.each([
  'file:///etc/passwd',
  'ftp://pictures.example/x',
  'data:image/png;base64,AAAA',
  'http://user:secret@pictures.example/',
  'nonsense',
])('refuses the address %s', async (address) => {
  await expect(fetcher(names)(address)).rejects.toThrow(OutsideRefused)
})

describe('a private network', () => {
  const forbidden = [
    '127.0.0.1',
    '127.8.8.8',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '100.127.255.254',
    '192.0.0.8',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:a00:1',
    '64:ff9b::7f00:1',
    '64:ff9b::808:808',
    '64:ff9b:1::a00:1',
    '2002:7f00:1::',
    '2001::1',
    'fe80::1',
    'fec0::1',
    'fc00::1',
    'fd12:3456::1',
    'ff02::1',
    '2001:db8::1',
    '100::1',
    '4000::1',
    'localhost',
  ]
  it.each(forbidden)('includes %s', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  it.each(['93.184.216.34', '8.8.8.8', '100.63.255.255', '172.32.0.1', '2606:2800:220:1::1', '2a00:1450:4001::1'])(
    'does not include %s',
    (address) => {
      expect(isPublicAddress(address)).toBe(true)
    },
  )

  const strict = (resolve: (name: string) => Promise<string[]>) => createPictureFetcher(createOutside({ resolve }))
  const count = () => seen.length

  it('is never reached by an address in any spelling, by a name, or by one of a name’s several addresses', async () => {
    const before = count()
    for (const host of [
      `127.0.0.1:${port}`,
      `127.1:${port}`,
      `2130706433:${port}`,
      `0x7f.1:${port}`,
      `[::1]:${port}`,
      `[::ffff:127.0.0.1]:${port}`,
    ]) {
      await expect(strict(async () => ['93.184.216.34'])(`http://${host}/picture`), host).rejects.toThrow(OutsideRefused)
    }
    await expect(strict(async () => ['127.0.0.1'])(own('/picture'))).rejects.toThrow(OutsideRefused)
    await expect(strict(async () => ['93.184.216.34', '10.0.0.1'])(own('/picture'))).rejects.toThrow(OutsideRefused)
    await expect(strict(async () => [])(own('/picture'))).rejects.toThrow(OutsideRefused)
    await expect(strict(async () => ['93.184.216.34'])('http://pictures.example:25/picture')).rejects.toThrow(OutsideRefused)
    expect(count()).toBe(before)
  })

  it('is not reached through a redirect', async () => {
    for (const target of [
      'http://169.254.169.254/latest/meta-data',
      'http://inside.example/',
      `http://127.0.0.1:${port + 1}/picture`,
      'file:///etc/passwd',
    ]) {
      const before = count()
      const fetch = fetcher({ ...names, 'inside.example': ['10.0.0.1'] })
      await expect(fetch(own(`/to?url=${encodeURIComponent(target)}`)), target).rejects.toThrow(OutsideRefused)
      expect(count(), target).toBe(before + 1)
    }
  })

  it('is not reached through a name that resolves differently the second time', async () => {
    let asked = 0
    const fetch = createPictureFetcher(
      createOutside({
        resolve: async () => [['127.0.0.1'], ['10.0.0.1']][asked++] ?? [],
        permit: (address) => address === '127.0.0.1',
      }),
    )
    expect(await fetch(`http://rebound.example:${port}/picture`)).toEqual(picture)
    expect(asked).toBe(1)
  })
})
