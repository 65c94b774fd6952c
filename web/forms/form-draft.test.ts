import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { withDraft } from './form-draft.ts'
import { forget, recall, remember } from './tab-memory.ts'

const empty = { name: '', interests: [] as string[], isPublic: false }

beforeEach(() => {
  const stored = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => stored.set(name, text),
    removeItem: (name: string) => stored.delete(name),
  })
})
afterEach(() => vi.unstubAllGlobals())

test('fills the fields of its form', () => {
  remember('draft.profile', { name: 'Ann', interests: ['Flower'], isPublic: true })
  expect(withDraft('profile', empty)).toEqual({ name: 'Ann', interests: ['Flower'], isPublic: true })
  expect(withDraft('another', empty)).toEqual(empty)
})

test('rejects other fields and other types of values', () => {
  remember('draft.profile', { name: 7, interests: 'Flower', isPublic: 'yes', role: 'admin' })
  expect(withDraft('profile', empty)).toEqual(empty)
  remember('draft.profile', null)
  expect(withDraft('profile', empty)).toEqual(empty)
})

test('only forgets if the browser refuses storage', () => {
  const refuse = () => {
    throw new DOMException('denied', 'SecurityError')
  }
  vi.stubGlobal('sessionStorage', { getItem: refuse, setItem: refuse, removeItem: refuse })
  remember('gate', true)
  expect(recall('gate')).toBeUndefined()
  forget('gate')
  expect(withDraft('profile', empty)).toEqual(empty)
})

test('tolerates edited storage', () => {
  sessionStorage.setItem('draft.profile', '{broken')
  expect(withDraft('profile', empty)).toEqual(empty)
})
