import { describe, expect, it } from 'vitest'
import { deployed } from './cluster/cluster.ts'
import { compareRows, compareSent, compareStates, type Differences, notificationsIn, receiptsIn } from './cluster/compare.ts'
import { kinds, planFailovers } from './cluster/failovers.ts'
import { isAtLeast } from './cluster/programs.ts'
import { longestGap } from './cluster/watch.ts'

describe('the longest gap', () => {
  it('is between the last write before an outage and the first one after it', () => {
    expect(longestGap([100, 200, 5200, 5300, 5900], 150, 6000)).toEqual({ ms: 5000, endedAt: 5200 })
  })

  it('starts at the beginning if no write precedes it', () => {
    expect(longestGap([900, 1000], 0, 1100)).toEqual({ ms: 900, endedAt: 900 })
  })

  it('ignores the order of responses and any writes outside the period', () => {
    expect(longestGap([5300, 200, 5200, 9999, 100], 150, 5400)).toEqual({ ms: 5000, endedAt: 5200 })
  })

  it('is infinite if no write follows', () => {
    expect(longestGap([100, 200], 150, 5000).ms).toBe(Number.POSITIVE_INFINITY)
    expect(longestGap([], 0, 10).endedAt).toBe(Number.POSITIVE_INFINITY)
  })
})

describe('the failover plan', () => {
  it('is the same for the same seed and differs for another', () => {
    expect(planFailovers(20, 7)).toEqual(planFailovers(20, 7))
    expect(planFailovers(20, 7)).not.toEqual(planFailovers(20, 8))
  })

  it('includes every kind equally often, and each in the first round', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const plan = planFailovers(18, seed)
      expect(new Set(plan.slice(0, 3).map(({ kind }) => kind)).size).toBe(3)
      expect(kinds.map((kind) => plan.filter((each) => each.kind === kind).length)).toEqual([6, 6, 6])
    }
  })
})

describe('a version', () => {
  it.each([
    ['1.18.0', false],
    ['1.21', true],
    ['1.21.0', true],
    ['1.24.1', true],
    ['2.0', true],
    ['0.99.9', false],
  ])('%s is new enough: %s', (version, expected) => expect(isAtLeast(version, [1, 21])).toBe(expected))
})

describe('the comparison', () => {
  const none = (): Differences => ({ lost: [], doubled: [], torn: [] })

  it('finds writes that were lost, duplicated, or never confirmed', () => {
    const found = none()
    const confirmed = [
      ['a', '1'],
      ['b', '2'],
      ['c', '3'],
      ['d', '4'],
    ] as const
    const stored = [
      { marker: 'a', id: '1' },
      { marker: 'c', id: '3' },
      { marker: 'c', id: '5' },
      { marker: 'd', id: 'another' },
      { marker: 'e', id: '6' },
    ]
    compareRows('post', confirmed, stored, found)
    expect(found).toEqual({ lost: ['post b', 'post d'], doubled: ['post c'], torn: ['post e was never confirmed'] })
  })

  it('finds added and removed states that were lost, and states that were never confirmed', () => {
    const found = none()
    const confirmed = new Map([
      ['a', true],
      ['b', false],
      ['c', true],
      ['d', false],
    ])
    compareStates('like', confirmed, new Set(['a', 'd', 'e']), found)
    expect(found).toEqual({ lost: ['like c', 'removal of like d'], doubled: [], torn: ['like e was never confirmed'] })
  })

  it('finds emails that are missing or were sent twice', () => {
    expect(compareSent(['a', 'b'], ['b', 'c', 'b'])).toEqual({ missing: ['a'], doubled: ['b, 2 times'] })
  })
})

describe('the mailbox', () => {
  const to = ['<ann@example.com>']
  const id = '019a0000-0000-7000-8000-000000000001'

  it('is decoded from any encoding', () => {
    const text = `Bo posted “Row w1n2”\nhttp://localhost:3000/post/${id}\n\nCy commented on “Row w1n3”\nhttp://localhost:3000/post/${id}#comment-${id}\n`
    const quoted = Buffer.from(text)
      .toString('latin1')
      .replace(/[=\x80-\xff]/g, (byte) => `=${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
      .replace('/post/', '/po=\nst/')
    const bodies = {
      'quoted-printable': quoted,
      base64: Buffer.from(text)
        .toString('base64')
        .replace(/(.{76})/g, '$1\n'),
      '8bit': text,
    }
    for (const [encoding, body] of Object.entries(bodies)) {
      const data = `Subject: You have 2 new notifications\nContent-Transfer-Encoding: ${encoding}\n\n${body}`
      expect(notificationsIn([{ from: '', to, data }])).toEqual([`ann@example.com posted ${id}`, `ann@example.com commented on ${id}`])
    }
  })

  it('lists each attached receipt once', () => {
    const data =
      'Content-Type: application/pdf; name=receipt-2026-12.pdf\nContent-Disposition: attachment; filename=receipt-2026-12.pdf\n\n'
    expect(receiptsIn([{ from: '', to, data }])).toEqual(['2026-12'])
  })
})

it('refuses an example file without the text that it replaces', () => {
  expect(deployed('haproxy.cfg', { 'bind *:5000': 'bind 127.0.0.1:1' })).toContain('bind 127.0.0.1:1')
  expect(() => deployed('haproxy.cfg', { 'bind *:5999': '' })).toThrow('doesn\'t contain "bind *:5999"')
})
