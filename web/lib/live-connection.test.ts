import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLiveConnection } from './live-connection.ts'

class Source {
  readyState = 1
  readonly handlers = new Map<string, ((event: Event) => void)[]>()
  addEventListener(name: string, handler: unknown) {
    this.handlers.set(name, [...(this.handlers.get(name) ?? []), handler as (event: Event) => void])
  }
  close() {
    this.readyState = 2
  }
  say(name: string, data?: unknown) {
    for (const handler of this.handlers.get(name) ?? []) handler({ data: JSON.stringify(data) } as MessageEvent)
  }
  giveUp() {
    this.readyState = 2
    this.say('error')
  }
}

let sources: Source[]
let isSignedIn: boolean
let accountChanged: () => void
let reloads: number
let isHidden: boolean
let onPage: Map<string, () => void>
let onLive: ReturnType<typeof createLiveConnection>

const open = () => sources.filter(({ readyState }) => readyState !== 2)
const fire = (event: string) => onPage.get(event)?.()

beforeEach(() => {
  vi.useFakeTimers()
  sources = []
  isSignedIn = true
  reloads = 0
  isHidden = false
  onPage = new Map()
  onLive = createLiveConnection({
    open: () => {
      const source = new Source()
      sources.push(source)
      return source as unknown as EventSource
    },
    mayListen: () => isSignedIn,
    onAccount: (listener) => {
      accountChanged = listener
    },
    reloadAccount: () => {
      reloads++
      // The query cache also notifies its listeners immediately.
      accountChanged()
    },
    page: { isHidden: () => isHidden, on: (event, listener) => onPage.set(event, listener) },
  })
})
afterEach(() => void vi.useRealTimers())

test('shares one stream until the last subscriber leaves', async () => {
  const heard: unknown[] = []
  const stops = [
    onLive('hello', (data) => heard.push(['first', data])),
    onLive('hello', (data) => heard.push(['second', data])),
    onLive('notifications', (data) => heard.push(['badge', data])),
  ]
  expect(sources).toHaveLength(1)
  sources[0]?.say('hello', { unread: 3 })
  sources[0]?.say('notifications', { unread: 4 })
  expect(heard).toEqual([
    ['first', { unread: 3 }],
    ['second', { unread: 3 }],
    ['badge', { unread: 4 }],
  ])
  stops[0]?.()
  stops[1]?.()
  await Promise.resolve()
  expect(open()).toHaveLength(1)
  sources[0]?.say('hello', { unread: 9 })
  expect(heard).toHaveLength(3)
  stops[2]?.()
  await Promise.resolve()
  expect(open()).toHaveLength(0)
})

test('keeps the stream open when one screen replaces another', async () => {
  const heard = vi.fn()
  onLive('feed', () => undefined)()
  onLive('feed', heard)
  await Promise.resolve()
  expect(sources).toHaveLength(1)
  expect(open()).toHaveLength(1)
  sources[0]?.say('feed', {})
  expect(heard).toHaveBeenCalledOnce()
})

test('opens no stream for visitors', () => {
  isSignedIn = false
  onLive('hello', () => undefined)
  expect(sources).toHaveLength(0)
})

test('leaves retries to the browser until it gives up', () => {
  onLive('hello', () => undefined)
  const [source] = sources
  if (source) source.readyState = 0
  source?.say('error')
  vi.advanceTimersByTime(300_000)
  expect(sources).toHaveLength(1)
})

test('doubles its delay up to a minute once the browser gives up, and resets it after success', () => {
  vi.spyOn(Math, 'random').mockReturnValue(1)
  onLive('hello', () => undefined)
  const waits = [1, 2, 4, 8, 16, 32, 60, 60]
  for (const [turn, seconds] of waits.entries()) {
    sources.at(-1)?.giveUp()
    vi.advanceTimersByTime(seconds * 1000 - 1)
    expect(sources).toHaveLength(turn + 1)
    vi.advanceTimersByTime(1)
    expect(sources).toHaveLength(turn + 2)
  }
  sources.at(-1)?.say('open')
  sources.at(-1)?.giveUp()
  vi.advanceTimersByTime(1000)
  expect(sources).toHaveLength(waits.length + 2)
})

test('adds jitter to the waits', () => {
  vi.spyOn(Math, 'random').mockReturnValue(0)
  onLive('hello', () => undefined)
  sources[0]?.giveUp()
  vi.advanceTimersByTime(500)
  expect(sources).toHaveLength(2)
})

test('disconnects a page hidden for a minute and reconnects when shown', () => {
  onLive('hello', () => undefined)
  isHidden = true
  fire('visibilitychange')
  vi.advanceTimersByTime(59_000)
  expect(open()).toHaveLength(1)
  vi.advanceTimersByTime(1000)
  expect(open()).toHaveLength(0)
  isHidden = false
  fire('visibilitychange')
  expect(open()).toHaveLength(1)
  expect(sources).toHaveLength(2)
})

test('keeps the stream open through a brief switch of tabs', () => {
  onLive('hello', () => undefined)
  isHidden = true
  fire('visibilitychange')
  vi.advanceTimersByTime(30_000)
  isHidden = false
  fire('visibilitychange')
  vi.advanceTimersByTime(120_000)
  expect(sources).toHaveLength(1)
})

test('disconnects when the page is cached and reconnects when restored', () => {
  onLive('hello', () => undefined)
  fire('pagehide')
  expect(open()).toHaveLength(0)
  fire('pageshow')
  expect(open()).toHaveLength(1)
})

test('reconnects immediately when back online', () => {
  onLive('hello', () => undefined)
  for (let turn = 0; turn < 4; turn++) {
    sources.at(-1)?.giveUp()
    vi.advanceTimersByTime(60_000)
  }
  sources.at(-1)?.giveUp()
  const before = sources.length
  fire('online')
  expect(sources).toHaveLength(before + 1)
})

test('closes the stream and stops retrying once the account may no longer listen', () => {
  onLive('hello', () => undefined)
  expect(open()).toHaveLength(1)
  isSignedIn = false
  accountChanged()
  expect(open()).toHaveLength(0)
  vi.advanceTimersByTime(300_000)
  expect(sources).toHaveLength(1)
  isSignedIn = true
  accountChanged()
  expect(open()).toHaveLength(1)
})

test('doesn’t reconnect after the session has ended, until someone signs in', () => {
  onLive('hello', () => undefined)
  sources[0]?.say('ended', {})
  expect(open()).toHaveLength(0)
  vi.advanceTimersByTime(300_000)
  expect(sources).toHaveLength(1)
  expect(reloads).toBe(0)
  accountChanged()
  expect(open()).toHaveLength(1)
})

test('reloads the account when the server refuses the stream, but only once until it opens', () => {
  onLive('hello', () => undefined)
  sources[0]?.giveUp()
  expect(reloads).toBe(1)
  vi.advanceTimersByTime(2_000)
  sources[1]?.giveUp()
  expect(reloads).toBe(1)
  isSignedIn = false
  accountChanged()
  vi.advanceTimersByTime(300_000)
  expect(sources).toHaveLength(2)
})
