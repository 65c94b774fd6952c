import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createToastStore } from './toast-store.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('shows only the newest toast', () => {
  const store = createToastStore()
  store.show({ title: 'Added to favorites' })
  store.show({ title: 'Error', description: 'Failed to update like status', variant: 'destructive' })
  expect(store.get()).toMatchObject([{ title: 'Error', variant: 'destructive', open: true }])
})

test('closes a dismissed toast immediately and removes it after 1,000,000 ms', () => {
  const store = createToastStore()
  const { dismiss } = store.show({ title: 'Subscribed!' })
  dismiss()
  expect(store.get()).toMatchObject([{ title: 'Subscribed!', open: false }])
  vi.advanceTimersByTime(999_999)
  expect(store.get()).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(store.get()).toEqual([])
})

test('keeps a toast that replaced a dismissed one', () => {
  const store = createToastStore()
  store.show({ title: 'Subscribed!' }).dismiss()
  vi.advanceTimersByTime(500_000)
  store.show({ title: 'Unsubscribed' })
  expect(vi.getTimerCount()).toBe(0)
  vi.advanceTimersByTime(1_000_000)
  expect(store.get()).toMatchObject([{ title: 'Unsubscribed', open: true }])
})

test('ignores the dismissal of a toast that is already dismissed or removed', () => {
  const store = createToastStore()
  const first = store.show({ title: 'One' })
  store.show({ title: 'Two' })
  const listener = vi.fn()
  store.subscribe(listener)
  first.dismiss()
  store.dismiss('unknown')
  expect(listener).not.toHaveBeenCalled()
  const id = store.get()[0]!.id
  store.dismiss(id)
  store.dismiss(id)
  expect(listener).toHaveBeenCalledTimes(1)
})

test('notifies listeners until they unsubscribe, and keeps the list’s identity between changes', () => {
  const store = createToastStore()
  const listener = vi.fn()
  const leave = store.subscribe(listener)
  store.show({ title: 'One' })
  expect(store.get()).toBe(store.get())
  leave()
  store.show({ title: 'Two' })
  expect(listener).toHaveBeenCalledTimes(1)
})
