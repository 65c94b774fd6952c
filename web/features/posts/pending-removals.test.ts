import { beforeEach, expect, test, vi } from 'vitest'
import { createToastStore } from '../../ui/toast-store.ts'
import { createRemovals } from './pending-removals.ts'

let toasts: ReturnType<typeof createToastStore>
let leave: () => void
let removals: ReturnType<typeof createRemovals>
const commit = vi.fn<() => Promise<unknown>>()
const commitOnLeave = vi.fn()
const onFailed = vi.fn()

beforeEach(() => {
  vi.clearAllMocks()
  commit.mockResolvedValue(undefined)
  toasts = createToastStore()
  removals = createRemovals(toasts, (listener) => {
    leave = listener
  })
})
const remove = (id = 'a') => removals.remove({ id, title: 'Post deleted', commit, commitOnLeave, onFailed })
const toast = () => toasts.list()[0]!

test('hides at once and deletes when the toast is over', async () => {
  remove()
  expect(removals.hidden().has('a')).toBe(true)
  expect(commit).not.toHaveBeenCalled()
  toasts.dismiss(toast().id)
  await vi.waitFor(() => expect(commit).toHaveBeenCalledOnce())
  expect(removals.hidden().has('a')).toBe(true)
})

test('Undo brings it back, and nothing is deleted', () => {
  remove()
  toast().action?.onClick()
  toasts.dismiss(toast().id)
  expect(removals.hidden().has('a')).toBe(false)
  expect(commit).not.toHaveBeenCalled()
})

test('another toast takes the place of the first, which is then decided', async () => {
  remove('a')
  remove('b')
  await vi.waitFor(() => expect(commit).toHaveBeenCalledOnce())
  expect([...removals.hidden()]).toEqual(['a', 'b'])
})

test('what the server does not delete is shown again', async () => {
  commit.mockRejectedValue(new Error('no'))
  remove()
  toasts.dismiss(toast().id)
  await vi.waitFor(() => expect(onFailed).toHaveBeenCalledOnce())
  expect(removals.hidden().has('a')).toBe(false)
})

test('a page that is left deletes at once, and once', () => {
  remove()
  leave()
  leave()
  toasts.dismiss(toast().id)
  expect(commitOnLeave).toHaveBeenCalledOnce()
  expect(commit).not.toHaveBeenCalled()
})
