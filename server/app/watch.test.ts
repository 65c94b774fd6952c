import { expect, it } from 'vitest'
import { createMetrics } from './metrics.ts'
import { combineWatches, watchCalls } from './watch.ts'

it('wraps only asynchronous calls', async () => {
  const seen: string[] = []
  const service = {
    name: 'a service',
    count: 1,
    isReady: () => true,
    async send(this: { count: number }, what: string) {
      this.count++
      if (what === 'no') throw new Error('refused')
      return what
    },
  }
  const watched = watchCalls(service, async (call) => {
    seen.push('begins')
    return call().finally(() => seen.push('ends'))
  })
  expect([watched.name, watched.isReady(), seen.length]).toEqual(['a service', true, 0])
  await expect(watched.send('yes')).resolves.toBe('yes')
  await expect(watched.send('no')).rejects.toThrow('refused')
  expect(service.count).toBe(3)
  expect(seen).toEqual(['begins', 'ends', 'begins', 'ends'])
})

it('nests several watchers with the first outermost, and returns null without watchers', async () => {
  const seen: string[] = []
  const named = (name: string) => ({
    async job(_job: string, run: () => Promise<void>) {
      seen.push(`${name} begins`)
      await run()
      seen.push(`${name} ends`)
    },
    outside: (_service: string, run: () => Promise<unknown>) => run(),
  })
  await combineWatches([named('a'), named('b')])?.job('x', async () => void seen.push('work'))
  expect(seen).toEqual(['a begins', 'b begins', 'work', 'b ends', 'a ends'])
  expect(combineWatches([])).toBeNull()
})

it('rethrows a failed job’s error and returns an outside call’s result', async () => {
  const metrics = createMetrics({ totalCount: 0, idleCount: 0, waitingCount: 0 }, { replicas: () => [], counts: () => new Map() }, () => ({
    queues: async () => [],
  }))
  const failure = new Error('no')
  await expect(metrics.job('media.process', () => Promise.reject(failure))).rejects.toBe(failure)
  await expect(metrics.outside('mail', async () => 'sent')).resolves.toBe('sent')
})
