import { beforeEach, expect, it, vi } from 'vitest'
import { createListeners, createStore } from './store.ts'

const listener = vi.fn()

beforeEach(() => listener.mockReset())

it('notifies listeners of a new value until they unsubscribe', () => {
  const store = createStore('a')
  const stop = store.subscribe(() => listener(store.get()))
  store.set('b')
  stop()
  store.set('c')
  expect(listener.mock.calls).toEqual([['b']])
  expect(store.get()).toBe('c')
})

it('doesn’t notify when the value is the same', () => {
  const store = createStore(Number.NaN)
  store.subscribe(listener)
  store.set(Number.NaN)
  expect(listener).not.toHaveBeenCalled()
})

it('passes values on to each listener', () => {
  const listeners = createListeners<[account: string]>()
  listeners.subscribe(listener)
  listeners.notify('ann')
  expect(listener.mock.calls).toEqual([['ann']])
})

it('lets a listener unsubscribe while it is being notified', () => {
  const store = createStore(0)
  const stop = store.subscribe(() => stop())
  store.subscribe(listener)
  store.set(1)
  expect(listener).toHaveBeenCalledOnce()
})

it('starts with the first listener and stops once the last one unsubscribes', () => {
  const events: string[] = []
  const store = createStore(0, () => {
    events.push('start')
    return () => events.push('stop')
  })
  const stopFirst = store.subscribe(() => {})
  const stopSecond = store.subscribe(() => {})
  stopFirst()
  stopFirst()
  expect(events).toEqual(['start'])
  stopSecond()
  stopSecond()
  expect(events).toEqual(['start', 'stop'])
  store.subscribe(() => {})
  expect(events).toEqual(['start', 'stop', 'start'])
})
