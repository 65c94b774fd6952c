import { useEffect, useState } from 'react'
import { forget, recall, remember } from '../accounts/tab-memory.ts'
import { type Edits, restoredEdits } from './menu-edits.ts'

type History = { edits: Edits; past: readonly Edits[]; future: readonly Edits[] }

/** So many steps can be taken back. */
const memoryOfSteps = 100

/** What was typed into a menu and is not saved. It survives a reload of the tab. */
export function useMenuEdits(businessId: string) {
  const name = `menu-edits.${businessId}`
  const [{ edits, past, future }, setHistory] = useState<History>(() => ({ edits: restoredEdits(recall(name)), past: [], future: [] }))
  useEffect(() => (Object.keys(edits).length > 0 ? remember(name, edits) : forget(name)), [name, edits])
  return {
    edits,
    canUndo: past.length > 0,
    canRedo: future.length > 0,
    /** A step that can be taken back. */
    change: (make: (edits: Edits) => Edits) =>
      setHistory((before) => {
        const next = make(before.edits)
        return next === before.edits ? before : { edits: next, past: [...before.past, before.edits].slice(-memoryOfSteps), future: [] }
      }),
    undo: () =>
      setHistory((before) => {
        const last = before.past.at(-1)
        return last ? { edits: last, past: before.past.slice(0, -1), future: [before.edits, ...before.future] } : before
      }),
    redo: () =>
      setHistory((before) => {
        const [next, ...rest] = before.future
        return next ? { edits: next, past: [...before.past, before.edits], future: rest } : before
      }),
    /** After the items have changed: what was typed over the old ones cannot come back. */
    settle: (make: (edits: Edits) => Edits) =>
      setHistory((before) => {
        const next = make(before.edits)
        return next === before.edits ? before : { edits: next, past: [], future: [] }
      }),
  }
}

export type MenuEdits = ReturnType<typeof useMenuEdits>
