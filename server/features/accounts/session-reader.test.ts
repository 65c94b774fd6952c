import { describe, expect, test } from 'vitest'
import { createSessionCookie, hashSessionToken } from './session-token.ts'
import { createSessionReader } from './sessions.ts'

const config = { isOnThisMachine: true }
const cookie = createSessionCookie({ isHttps: false, sessionSecret: 'a secret for tests that is long enough' }, { slug: 'sungrove' })
const now = new Date('2026-11-21T12:00:00Z')
const clock = { now: () => now }
const day = 86_400_000

const headerOf = (token: string) => cookie.set(token).split(';')[0] as string

function poolWith(sessions: Record<string, { expiresInMs: number; hasFactor?: boolean; shownAt?: Date }>, asked: string[][] = []) {
  const rows = Object.entries(sessions).map(([token, { expiresInMs, hasFactor = false, shownAt = null }]) => ({
    token: hashSessionToken(token),
    session_id: `session of ${token}`,
    session_expires_at: new Date(now.getTime() + expiresInMs),
    id: token,
    created_at: now,
    role: 'admin',
    location: 'Denver, CO',
    second_factor_at: shownAt,
    has_factor: hasFactor,
  }))
  const query = async (_text: string, [hashes]: [string[]]) => {
    asked.push(hashes)
    return { rows: rows.filter((row) => hashes.includes(row.token)) }
  }
  return { query } as never
}

describe('the session reader', () => {
  test('shares one query among simultaneous requests, each with its own session', async () => {
    const asked: string[][] = []
    const tokens = Array.from({ length: 50 }, (_, number) => `token-${number}`)
    const pool = poolWith(Object.fromEntries(tokens.map((token) => [token, { expiresInMs: 30 * day }])), asked)
    const reader = createSessionReader({ pool, cookie, clock, config })
    const sessions = await Promise.all([...tokens, 'unknown', 'token-0'].map((token) => reader.read(headerOf(token))))
    expect(sessions.map((session) => session?.actor.id ?? null)).toEqual([...tokens, null, 'token-0'])
    expect(asked).toHaveLength(1)
    await reader.read(headerOf('token-1'))
    expect(asked).toHaveLength(2)
  })

  test('queries at most a hundred sessions at a time', async () => {
    const asked: string[][] = []
    const reader = createSessionReader({ pool: poolWith({}, asked), cookie, clock, config })
    await Promise.all(Array.from({ length: 250 }, (_, number) => reader.read(headerOf(`token-${number}`))))
    expect(asked.map((hashes) => hashes.length)).toEqual([100, 100, 50])
  })

  test('ends a session exactly at its expiry', async () => {
    const pool = poolWith({ over: { expiresInMs: 0 }, almost: { expiresInMs: 1 } })
    const reader = createSessionReader({ pool, cookie, clock, config })
    expect(await reader.read(headerOf('over'))).toBeNull()
    expect((await reader.read(headerOf('almost')))?.renewedCookie).toBe(cookie.set('almost'))
  })

  test('returns a session without its second factor only on request', async () => {
    const expiresInMs = 30 * day
    const hour = 3_600_000
    const pool = poolWith({
      owing: { expiresInMs, hasFactor: true },
      shown: { expiresInMs, hasFactor: true, shownAt: new Date(now.getTime() - 12 * hour + 1) },
      stale: { expiresInMs, hasFactor: true, shownAt: new Date(now.getTime() - 12 * hour) },
      without: { expiresInMs },
    })
    const reader = createSessionReader({ pool, cookie, clock, config })
    expect(await reader.read(headerOf('owing'))).toBeNull()
    const rights = async (token: string) => (await reader.read(headerOf(token), { evenOwing: true }))?.actor
    expect(await rights('owing')).toMatchObject({ owesSecondFactor: true, role: 'member', grantedRole: 'admin' })
    expect(await rights('shown')).toMatchObject({ owesSecondFactor: false, role: 'admin', grantedRole: 'admin' })
    expect(await rights('stale')).toMatchObject({ owesSecondFactor: false, role: 'member', grantedRole: 'admin' })
    expect(await rights('without')).toMatchObject({ owesSecondFactor: false, role: 'member', grantedRole: 'admin' })
    for (const token of ['shown', 'stale', 'without']) expect(await reader.read(headerOf(token))).not.toBeNull()
  })

  test('fails all waiting requests when the database fails, but no later ones', async () => {
    let isAway = true
    const pool = poolWith({ ann: { expiresInMs: 30 * day } }) as { query: (...args: unknown[]) => Promise<unknown> }
    const flaky = { query: (...args: unknown[]) => (isAway ? Promise.reject(new Error('away')) : pool.query(...args)) } as never
    const reader = createSessionReader({ pool: flaky, cookie, clock, config })
    const both = await Promise.allSettled([reader.read(headerOf('ann')), reader.read(headerOf('bob'))])
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    isAway = false
    expect((await reader.read(headerOf('ann')))?.actor.id).toBe('ann')
  })
})
