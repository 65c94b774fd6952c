import { useState } from 'react'
import type { SheetWrite } from './sheet.tsx'

export type SheetTexts = Readonly<Record<string, Readonly<Record<string, string>>>>

const maxUndoSteps = 100

/** The texts of a sheet with undo and redo. */
export function useSheetTexts(first: SheetTexts = {}) {
  const [history, setHistory] = useState<{ past: readonly SheetTexts[]; now: SheetTexts; future: readonly SheetTexts[] }>({
    past: [],
    now: first,
    future: [],
  })
  return {
    texts: history.now,
    write(writes: readonly SheetWrite[]) {
      setHistory(({ past, now }) => ({ past: [...past.slice(-maxUndoSteps), now], now: written(now, writes), future: [] }))
    },
    undo() {
      setHistory((all) => {
        const before = all.past.at(-1)
        return before ? { past: all.past.slice(0, -1), now: before, future: [all.now, ...all.future] } : all
      })
    },
    redo() {
      setHistory((all) => {
        const [next, ...future] = all.future
        return next ? { past: [...all.past, all.now], now: next, future } : all
      })
    },
    clear: () => setHistory({ past: [], now: {}, future: [] }),
  }
}

/** Writes cells; unchanged rows keep their object identity. */
export function written(texts: SheetTexts, writes: readonly SheetWrite[]): SheetTexts {
  const next: Record<string, Readonly<Record<string, string>>> = { ...texts }
  for (const { id, key, text } of writes) next[id] = { ...next[id], [key]: text }
  return next
}
