import { expect, test } from 'vitest'
import { cacheAndRefresh } from './answer-cache.ts'

function counter() {
  const state = { now: 0, reads: 0, isBroken: false, errors: 0 }
  const get = cacheAndRefresh({
    read: async () => {
      if (state.isBroken) throw new Error('broken')
      return ++state.reads
    },
    freshMs: 10,
    maxAgeMs: 100,
    nowMs: () => state.now,
    onError: () => state.errors++,
  })
  return { state, get }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('reads once for concurrent callers', async () => {
  const { get } = counter()
  expect(await Promise.all([get(), get(), get()])).toEqual([1, 1, 1])
})

test('returns the older value while it reads the next', async () => {
  const { state, get } = counter()
  await get()
  state.now = 9
  expect(await get()).toBe(1)
  state.now = 10
  expect(await get()).toBe(1)
  await settled()
  expect(await get()).toBe(2)
})

test('waits for the next value when the last one is too old', async () => {
  const { state, get } = counter()
  await get()
  state.now = 100
  expect(await get()).toBe(2)
})

test('waits for the next value when the clock was set back', async () => {
  const { state, get } = counter()
  state.now = 1000
  await get()
  state.now = 20
  expect(await get()).toBe(2)
})

test('tries again after an error', async () => {
  const { state, get } = counter()
  state.isBroken = true
  await expect(get()).rejects.toThrow('broken')
  state.isBroken = false
  expect(await get()).toBe(1)
  state.isBroken = true
  state.now = 50
  expect(await get()).toBe(1)
  await settled()
  expect(state.errors).toBe(1)
})
