import { useEffect, useRef, useState } from 'react'
import type { FieldValues, UseFormSubscribe } from 'react-hook-form'
import { useToday } from '#web/ui/ago.tsx'
import type { SheetTexts } from '#web/ui/sheet/sheet.tsx'
import { getTabItem, removeTabItem, setTabItem } from './tab-memory.ts'

const key = (name: string) => `draft.${name}`

/** The password reset form starts with this draft's email address. */
export const signInDraft = 'sign-in'

/** Must not receive secrets. */
export const saveDraft = (name: string, values: Record<string, unknown>): void => setTabItem(key(name), values)

/** Call once the form has been submitted. */
export const dropDraft = (name: string): void => removeTabItem(key(name))

/** Overlays `empty` with the saved draft. Ignores unknown fields and values of the wrong type. */
export function withDraft<Values extends object>(name: string, empty: Values): Values {
  const draft = getTabItem(key(name))
  if (typeof draft !== 'object' || draft === null) return empty
  const entries = Object.entries(draft).filter(([field, value]) => {
    const expected: unknown = empty[field as keyof Values]
    return expected !== undefined && typeof value === typeof expected && Array.isArray(value) === Array.isArray(expected)
  })
  return { ...empty, ...Object.fromEntries(entries) }
}

/** Send only these, to keep what others, or the same person elsewhere, have changed since `saved` was read. */
export const changedFields = <Values extends object>(
  values: Values,
  saved: { readonly [Field in keyof Values]?: unknown },
): Partial<Values> =>
  Object.fromEntries(
    Object.entries(values).filter(([field, value]) => JSON.stringify(value) !== JSON.stringify(saved[field as keyof Values])),
  ) as Partial<Values>

/**
 * Saves values as they change, so they survive reloading and signing in. Skips the fields in `except`, such as secrets, and those that
 * match `saved`, so that a draft doesn't undo changes made elsewhere since.
 * @returns a function that deletes the draft; call it once the form has been submitted. Later changes aren't saved, because the form is
 * about to close. If it `staysOpen`, only changes until the task ends, such as a reset, are skipped.
 */
export function useDraft<Values extends FieldValues>(
  { subscribe }: { subscribe: UseFormSubscribe<Values> },
  name: string,
  except: readonly (keyof Values & string)[] = [],
  saved: Partial<Values> = {},
): (options?: { staysOpen?: boolean }) => void {
  const isDropping = useRef(false)
  const latest = useRef(saved)
  latest.current = saved
  const secrets = except.join()
  useEffect(() => {
    const left = secrets.split(',')
    return subscribe({
      formState: { values: true },
      callback: ({ values }) => {
        if (isDropping.current) return
        const changed = Object.entries(changedFields(values, latest.current))
        saveDraft(name, Object.fromEntries(changed.filter(([field]) => !left.includes(field))))
      },
    })
  }, [subscribe, name, secrets])
  return ({ staysOpen = false } = {}) => {
    isDropping.current = true
    dropDraft(name)
    if (staysOpen) {
      queueMicrotask(() => {
        isDropping.current = false
      })
    }
  }
}

/** A cell counts as changed if its text differs from `saved`. */
export const changedCells = (texts: SheetTexts, saved: SheetTexts): SheetTexts =>
  Object.fromEntries(
    Object.entries(texts).flatMap(([id, row]) => {
      const changed = Object.entries(row).filter(([key, text]) => text !== (saved[id]?.[key] ?? ''))
      return changed.length === 0 ? [] : [[id, Object.fromEntries(changed)]]
    }),
  )

/** Saves the changed cells and `about`. Without changed cells, deletes the draft. */
export function saveSheetDraft(name: string, texts: SheetTexts, saved: SheetTexts, about: Record<string, unknown>): void {
  const cells = changedCells(texts, saved)
  if (Object.keys(cells).length === 0) dropDraft(name)
  else saveDraft(name, { ...about, cells })
}

/**
 * The day of a sheet. If the page stays open overnight, an unchanged sheet takes the new day's date, while typed cells keep theirs. Call
 * `keep` when a cell is written.
 */
export function useSheetDay(first: string, isUnchanged: boolean) {
  const today = useToday()
  const [chosen, setChosen] = useState({ day: first, on: today })
  const day = isUnchanged && chosen.on !== today ? today : chosen.day
  const setDay = (next: string) => setChosen({ day: next, on: today })
  return { day, today, setDay, keep: () => setDay(day) }
}

/** Overlays `saved` and `about` with the draft. Ignores rows that no longer exist. */
export function readSheetDraft<About extends Record<string, unknown>>(
  name: string,
  saved: SheetTexts,
  about: About,
  rowIds: readonly string[],
): { texts: SheetTexts; about: About } {
  const { cells, ...draftedAbout } = withDraft(name, { ...about, cells: {} as Record<string, unknown> })
  const texts: Record<string, Record<string, string>> = { ...saved }
  for (const id of rowIds) {
    const row = Object.entries(cells[id] ?? {}).filter((cell): cell is [string, string] => typeof cell[1] === 'string')
    if (row.length > 0) texts[id] = { ...texts[id], ...Object.fromEntries(row) }
  }
  return { texts, about: draftedAbout as unknown as About }
}
