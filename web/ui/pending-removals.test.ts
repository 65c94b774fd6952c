import { beforeEach, expect, test, vi } from 'vitest'
import { createToastStore } from '#web/ui/toast-store.ts'
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
const toast = () => toasts.get()[0]!

test('hides at once and deletes when the toast closes', async () => {
  remove()
  expect(removals.hidden.get().has('a')).toBe(true)
  expect(commit).not.toHaveBeenCalled()
  toasts.dismiss(toast().id)
  await vi.waitFor(() => expect(commit).toHaveBeenCalledOnce())
  expect(removals.hidden.get().has('a')).toBe(true)
})

test('restores on Undo without deleting', () => {
  remove()
  toast().action?.onClick()
  toasts.dismiss(toast().id)
  expect(removals.hidden.get().has('a')).toBe(false)
  expect(commit).not.toHaveBeenCalled()
})

test('commits the first removal when another toast replaces it', async () => {
  remove('a')
  remove('b')
  await vi.waitFor(() => expect(commit).toHaveBeenCalledOnce())
  expect([...removals.hidden.get()]).toEqual(['a', 'b'])
})

test('shows the post again if the server fails to delete it', async () => {
  commit.mockRejectedValue(new Error('no'))
  remove()
  toasts.dismiss(toast().id)
  await vi.waitFor(() => expect(onFailed).toHaveBeenCalledOnce())
  expect(removals.hidden.get().has('a')).toBe(false)
})

test('deletes immediately, and only once, when the page is left', () => {
  remove()
  leave()
  leave()
  toasts.dismiss(toast().id)
  expect(commitOnLeave).toHaveBeenCalledOnce()
  expect(commit).not.toHaveBeenCalled()
})
