import { expect, test } from 'vitest'
import { createAnswerCache, maxAgeMs, type StoredAnswer } from './answer-cache.ts'

const answerOf = (body: string): StoredAnswer => ({ body, etag: body, link: undefined })

test('keeps an answer for its time and no longer', async () => {
  let now = 0
  let made = 0
  const cache = createAnswerCache(() => now)
  const read = () => cache.answer('businesses', '/x', async () => answerOf(String(++made)))
  expect((await read()).body).toBe('1')
  now = maxAgeMs - 1
  expect((await read()).body).toBe('1')
  now = maxAgeMs
  expect((await read()).body).toBe('2')
})

test('readers who arrive together share one computation', async () => {
  const cache = createAnswerCache(() => 0)
  let made = 0
  const read = () => cache.answer('businesses', '/x', async () => answerOf(String(++made)))
  const bodies = await Promise.all([read(), read(), read()])
  expect(bodies.map((answer) => answer.body)).toEqual(['1', '1', '1'])
})

test('an answer whose making began before a write is never given after it', async () => {
  const cache = createAnswerCache(() => 0)
  let release = () => {}
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  const old = cache.answer('businesses', '/x', async () => {
    await gate
    return answerOf('before the write')
  })
  cache.invalidate('businesses')
  const fresh = await cache.answer('businesses', '/x', async () => answerOf('after the write'))
  release()
  expect((await old).body).toBe('before the write')
  expect(fresh.body).toBe('after the write')
  expect((await cache.answer('businesses', '/x', async () => answerOf('again'))).body).toBe('after the write')
})

test('a failure is not kept', async () => {
  const cache = createAnswerCache(() => 0)
  await expect(cache.answer('businesses', '/x', () => Promise.reject(new Error('down')))).rejects.toThrow('down')
  expect((await cache.answer('businesses', '/x', async () => answerOf('up'))).body).toBe('up')
})

test('the number of kept answers is bounded', async () => {
  const cache = createAnswerCache(() => 0)
  let made = 0
  const read = (key: string) => cache.answer('businesses', key, async () => answerOf(String(++made)))
  for (let i = 0; i < 6000; i++) await read(`/${i}`)
  await read('/0')
  expect(made).toBe(6001)
  await read('/5999')
  expect(made).toBe(6001)
})
