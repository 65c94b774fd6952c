import { createFormControl } from 'react-hook-form'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { changedFields, readSheetDraft, saveDraft, saveSheetDraft, useDraft, withDraft } from './form-draft.ts'
import { getTabItem, removeTabItem, setTabItem } from './tab-memory.ts'

// Runs effects immediately, as for a form that is already on the page.
vi.mock('react', async (original) => ({
  ...(await original<typeof import('react')>()),
  useRef: (current: unknown) => ({ current }),
  useEffect: (effect: () => void) => effect(),
}))

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
  setTabItem('draft.profile', { name: 'Ann', interests: ['Flower'], isPublic: true })
  expect(withDraft('profile', empty)).toEqual({ name: 'Ann', interests: ['Flower'], isPublic: true })
  expect(withDraft('another', empty)).toEqual(empty)
})

test('ignores unknown fields and values of the wrong type', () => {
  setTabItem('draft.profile', { name: 7, interests: 'Flower', isPublic: 'yes', role: 'admin' })
  expect(withDraft('profile', empty)).toEqual(empty)
  setTabItem('draft.profile', null)
  expect(withDraft('profile', empty)).toEqual(empty)
})

test('keeps changes made elsewhere, except to fields that the draft changes', () => {
  const saved = { name: 'Ann', interests: ['Flower'], isPublic: true }
  const typed = { ...saved, interests: ['Flower'], name: 'Anna' }
  expect(changedFields(typed, saved)).toEqual({ name: 'Anna' })
  expect(changedFields({ ...saved, interests: [] }, saved)).toEqual({ interests: [] })
  saveDraft('profile', changedFields(typed, saved))
  const savedElsewhere = { name: 'Ann', interests: ['Edibles'], isPublic: false }
  expect(withDraft('profile', savedElsewhere)).toEqual({ name: 'Anna', interests: ['Edibles'], isPublic: false })
})

test('stores nothing, and doesn’t throw, if the browser refuses storage', () => {
  const refuse = () => {
    throw new DOMException('denied', 'SecurityError')
  }
  vi.stubGlobal('sessionStorage', { getItem: refuse, setItem: refuse, removeItem: refuse })
  setTabItem('gate', true)
  expect(getTabItem('gate')).toBeUndefined()
  removeTabItem('gate')
  expect(withDraft('profile', empty)).toEqual(empty)
})

test('ignores a stored draft that isn’t valid JSON', () => {
  sessionStorage.setItem('draft.profile', '{broken')
  expect(withDraft('profile', empty)).toEqual(empty)
})

test('keeps a table’s changed cells and its day as a draft, but only for rows that still exist', () => {
  const saved = { a: { wetGrams: '400' } }
  const typed = { a: { wetGrams: '400', dryGrams: '96' }, b: { wetGrams: 'abc' }, gone: { wetGrams: '1' } }
  saveSheetDraft('harvests-1', typed, saved, { day: '2026-11-20' })
  const read = (rows: string[]) => readSheetDraft('harvests-1', { a: { wetGrams: '410' } }, { day: '2026-11-21' }, rows)
  expect(read(['a', 'b'])).toEqual({
    texts: { a: { wetGrams: '410', dryGrams: '96' }, b: { wetGrams: 'abc' } },
    about: { day: '2026-11-20' },
  })
  saveSheetDraft('harvests-1', saved, saved, { day: '2026-11-20' })
  expect(read(['a', 'b'])).toEqual({ texts: { a: { wetGrams: '410' } }, about: { day: '2026-11-21' } })
})

test('keeps what is typed into a form that stays open after it was submitted', async () => {
  const form = createFormControl({ defaultValues: { email: '', code: '' } })
  const submitted = useDraft(form, 'invite', ['code'])
  form.setValue('email', 'ann@example.com')
  form.setValue('code', '123456')
  expect(getTabItem('draft.invite')).toEqual({ email: 'ann@example.com' })

  submitted({ staysOpen: true })
  form.reset({ email: '', code: '' })
  await Promise.resolve()
  expect(getTabItem('draft.invite')).toBeUndefined()

  form.setValue('email', 'ben@example.com')
  expect(getTabItem('draft.invite')).toEqual({ email: 'ben@example.com' })
})

test('stores nothing that is typed while a submitted form closes', async () => {
  const form = createFormControl({ defaultValues: { huntName: '' } })
  const submitted = useDraft(form, 'new-hunt')
  form.setValue('huntName', 'Copper Ferry')
  submitted()
  await Promise.resolve()
  form.setValue('huntName', 'Copper Ferry 2')
  expect(getTabItem('draft.new-hunt')).toBeUndefined()
})
