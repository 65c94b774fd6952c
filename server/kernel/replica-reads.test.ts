import { expect, it } from 'vitest'
import { loadConfig } from '#server/config.ts'
import { unknownPosition } from '#server/db/replicas.ts'
import { lastWriteCookie, readLastWrite } from './replica-reads.ts'

const secret = 'a secret for tests that is long enough'
let nowMs = Date.parse('2026-11-28T12:00:00.500Z')

/** The position that every replica has replayed. */
let replayed = 2n ** 64n

const siteAt = (position: bigint | null, env = {}) => ({
  config: loadConfig({ SESSION_SECRET: secret, ...env }),
  clock: { now: () => new Date(nowMs) },
  reads: { position: async () => position, haveAll: (asked: bigint) => asked <= replayed } as never,
})
const read = (cookie: string | undefined, site = siteAt(null)) => readLastWrite(site, { headers: { cookie } })
const pairOf = (cookie: string) => cookie.split(';')[0] as string

it('stores the position of a write in the cookie, and marks it as recent for fifteen seconds', async () => {
  const cookie = await lastWriteCookie(siteAt(0x16b374d848n))
  expect(cookie).toMatch(/^written=\d+\.97500059720\.[\w-]{43}; Max-Age=86400; Path=\/; HttpOnly; SameSite=Lax$/)
  const pair = `theme=dark; ${pairOf(cookie)}; other=1`
  expect(read(pair)).toEqual({ isRecent: true, position: 0x16b374d848n })
  nowMs += 14_000
  expect(read(pair).isRecent).toBe(true)
  nowMs += 1_000
  expect(read(pair)).toEqual({ isRecent: false, position: 0n })
})

it('treats a write as recent until all replicas have replayed it', async () => {
  const pair = pairOf(await lastWriteCookie(siteAt(7n)))
  nowMs += 60_000
  replayed = 6n
  expect(read(pair)).toEqual({ isRecent: true, position: 7n })
  replayed = 7n
  expect(read(pair).isRecent).toBe(false)
})

it('keeps the cookie for 15 seconds without replicas, and for 10 minutes without a known position', async () => {
  expect(await lastWriteCookie(siteAt(null))).toContain('; Max-Age=15;')
  expect(await lastWriteCookie(siteAt(unknownPosition))).toContain('; Max-Age=600;')
  expect(read(pairOf(await lastWriteCookie(siteAt(null))))).toEqual({ isRecent: true, position: 0n })
  expect(await lastWriteCookie(siteAt(1n, { PUBLIC_URL: 'https://grove.example' }))).toContain('; Secure')
})

it('ignores a cookie that someone else made or changed', async () => {
  const pair = pairOf(await lastWriteCookie(siteAt(5n)))
  const unsigned = { isRecent: false, position: 0n }
  const old = pair.replace(/\d+/, '1')
  const forged = ['written=', 'written=1', 'written=1.x.y', pair.replace('.5.', '.9.'), old, `x${pair}`, `${pair}x`]
  for (replayed of [2n ** 64n, 4n]) {
    for (const cookie of [undefined, '', ...forged]) expect(read(cookie), cookie).toEqual(unsigned)
  }
  expect(read(pair, siteAt(null, { SESSION_SECRET: `${secret}, and another` }))).toEqual(unsigned)
})
