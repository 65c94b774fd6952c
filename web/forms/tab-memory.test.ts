import { beforeEach, expect, test, vi } from 'vitest'
import type { CurrentUser } from '#contracts/accounts.ts'
import { currentUserOptions } from '#web/lib/current-user.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { getTabItem, setTabItem } from './tab-memory.ts'

const signIn = (id: string | null) =>
  queryClient.setQueryData<CurrentUser | null>(currentUserOptions.queryKey, id === null ? null : ({ id } as CurrentUser))

const forms = ['comment.post-1', 'draft.review.shop', 'uploads.review.shop', 'quick-log:hunt', 'menu-edits.shop', 'guide-question']

beforeEach(() => {
  // As in a browser, stored names are the object's keys.
  const methods = {
    getItem: (name: string) => stored[name] ?? null,
    setItem: (name: string, text: string) => Object.assign(stored, { [name]: text }),
    removeItem: (name: string) => void delete stored[name],
  }
  const stored: Record<string, string> = Object.create(methods)
  vi.stubGlobal('sessionStorage', stored)
  signIn('ann')
  for (const name of forms) setTabItem(name, 'Ann’s')
})

test('keeps drafts for a person who signs in again', () => {
  signIn(null)
  for (const name of forms) expect(getTabItem(name)).toBe('Ann’s')
  signIn('ann')
  for (const name of forms) expect(getTabItem(name)).toBe('Ann’s')
})

test('removes drafts when someone else signs in, but keeps other values and drafts stored per account', () => {
  const others = ['draft.post.ann', 'messages.unsent.ann.1', 'asked-for']
  for (const name of others) setTabItem(name, 'kept')
  signIn(null)
  signIn('ben')
  for (const name of forms) expect(getTabItem(name)).toBeUndefined()
  for (const name of others) expect(getTabItem(name)).toBe('kept')
  setTabItem('comment.post-1', 'Ben’s')
  expect(getTabItem('comment.post-1')).toBe('Ben’s')
})
