import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createAnswerCache, etagOf, matchesEtag, maxAgeMs, type StoredAnswer, shareReads, storedAnswer } from './answer-cache.ts'

const answerOf = (body: string): StoredAnswer => ({ body, etag: body.slice(0, 40), link: undefined })

it('recognizes its ETag in every form that browsers and proxies send', () => {
  const etag = etagOf('{}')
  const strong = etag.slice(2)
  const known = (header: string | undefined) => matchesEtag(header, etag)
  expect([etag, strong, `"a", ${etag}`, `${strong} , W/"b"`, '*'].map(known)).toEqual(Array(5).fill(true))
  expect([undefined, '', '"a"', `"a", ${strong.slice(1)}`, etagOf('[]')].map(known)).toEqual(Array(5).fill(false))
})

it('caches a response until it expires', async () => {
  let now = 1
  let made = 0
  const cache = createAnswerCache(() => now)
  const read = () => cache.answer('businesses', '/x', async () => answerOf(String(++made)))
  expect((await read()).body).toBe('1')
  now += maxAgeMs
  expect((await read()).body).toBe('1')
  now += 1
  expect((await read()).body).toBe('2')
})

it('shares one computation among concurrent readers', async () => {
  const cache = createAnswerCache(() => 1)
  let made = 0
  const read = () => cache.answer('businesses', '/x', async () => answerOf(String(++made)))
  const bodies = await Promise.all([read(), read(), read()])
  expect(bodies.map((answer) => answer.body)).toEqual(['1', '1', '1'])
})

it('does not cache a failure', async () => {
  const cache = createAnswerCache(() => 1)
  await expect(cache.answer('businesses', '/x', () => Promise.reject(new Error('down')))).rejects.toThrow('down')
  expect((await cache.answer('businesses', '/x', async () => answerOf('up'))).body).toBe('up')
})

it('never answers a request made after a write with a response begun before the write', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('read', 'write', 'answer', 'pass'), { minLength: 1, maxLength: 60 }),
      fc.array(fc.nat(20), { minLength: 60, maxLength: 60 }),
      async (steps, choices) => {
        let now = 1
        let version = 0
        const cache = createAnswerCache(() => now)
        const making: (() => void)[] = []
        const reads: Promise<void>[] = []
        for (const [i, step] of steps.entries()) {
          const choice = choices[i] as number
          if (step === 'read') {
            const before = version
            const answer = cache.answer('businesses', '/x', () => {
              const seen = String(version)
              return new Promise((resolve) => making.push(() => resolve(answerOf(seen))))
            })
            reads.push(answer.then(({ body }) => expect(Number(body)).toBeGreaterThanOrEqual(before)))
          } else if (step === 'write') {
            version++
            cache.invalidate('businesses')
          } else if (step === 'answer') {
            making.splice(choice % (making.length || 1), 1)[0]?.()
            await Promise.resolve()
          } else now += choice * 400
        }
        for (const finish of making) finish()
        await Promise.all(reads)
      },
    ),
    { numRuns: 300 },
  )
})

it('stays within its limit for memory, however many 90 kB responses it caches', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const cache = createAnswerCache(() => 1)
  collect()
  const before = process.memoryUsage().heapUsed
  for (let i = 0; i < 5_000; i++) {
    await cache.answer('businesses', `/${i}`, async () => answerOf(Buffer.alloc(90_000, `${i} `).toString('latin1')))
  }
  collect()
  expect((process.memoryUsage().heapUsed - before) / 2 ** 20).toBeLessThan(100)
  let made = 0
  const read = (key: string) => cache.answer('businesses', key, async () => answerOf(String(++made)))
  await read('/4999')
  expect(made).toBe(0)
  await read('/0')
  expect(made).toBe(1)
})

it('stores every text unchanged', () => {
  const text = fc.oneof(fc.string({ unit: 'binary-ascii' }), fc.string({ unit: 'binary' }), fc.constantFrom('§ 16', '’', 'x'.repeat(5_000)))
  fc.assert(
    fc.property(text, (written) => {
      expect(storedAnswer(written).body.toString()).toBe(written)
    }),
  )
})

describe('shared reads', () => {
  it('never answer with anything older than what their caller would have read alone', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('read', 'write', 'finish', 'pass'), { minLength: 1, maxLength: 60 }),
        fc.constantFrom(['/x'], ['/x', '/y']),
        async (steps, keys) => {
          let version = 0
          const share = shareReads<string>()
          const running: (() => void)[] = []
          const reads: Promise<void>[] = []
          for (const [i, step] of steps.entries()) {
            const key = keys[i % keys.length] as string
            if (step === 'read') {
              const before = version
              const answer = share(key, () => {
                const seen = `${key} ${version}`
                return new Promise((resolve) => running.push(() => resolve(seen)))
              })
              reads.push(
                answer.then((seen) => {
                  expect(seen.split(' ')[0]).toBe(key)
                  expect(Number(seen.split(' ')[1])).toBeGreaterThanOrEqual(before)
                }),
              )
            } else if (step === 'write') version++
            else if (step === 'finish') running.shift()?.()
            else await nextTurn()
          }
          const all = Promise.all(reads)
          let isDone = false
          void all.then(() => {
            isDone = true
          })
          for (let turn = 0; turn < 10 && !isDone; turn++) {
            await nextTurn()
            for (const finish of running.splice(0)) finish()
          }
          expect(isDone || reads.length === 0).toBe(true)
          await all
        },
      ),
      { numRuns: 200 },
    )
  })

  it('read once for callers in one turn of the event loop, and once more for all who call during that read', async () => {
    const share = shareReads<number>()
    let reads = 0
    const read = async () => {
      reads++
      await nextTurn()
      return reads
    }
    const first = [share('/x', read), share('/x', read)]
    await nextTurn()
    const second = [share('/x', read), share('/x', read), share('/x', read)]
    expect(await Promise.all([...first, ...second])).toEqual([1, 1, 2, 2, 2])
    expect(await share('/x', read)).toBe(3)
  })

  it('that fail do so only for those who share them', async () => {
    const share = shareReads<string>()
    const failing = share('/x', () => Promise.reject(new Error('down')))
    await expect(failing).rejects.toThrow('down')
    expect(await share('/x', async () => 'up')).toBe('up')
    const [failed, other] = await Promise.allSettled([share('/x', () => Promise.reject(new Error('down'))), share('/y', async () => 'up')])
    expect([failed.status, other.status]).toEqual(['rejected', 'fulfilled'])
  })
})
