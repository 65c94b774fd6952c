import { getTabItem, removeTabItem, setTabItem } from '#web/forms/tab-memory.ts'
import { createListeners, useStore } from '#web/lib/store.ts'

/** `card` is open, `button` minimized. Null if not opened in this tab, so its default shape applies. */
export type GuideShape = 'card' | 'button' | null

const key = 'guide'
const { notify, subscribe } = createListeners()

const shapeNow = (): GuideShape => {
  const stored = getTabItem(key)
  return stored === 'card' || stored === 'button' ? stored : null
}

let wantsFocus = false

/** Returns true once after the person opens or minimizes the guide, unless they are navigating away. */
export function consumeFocusRequest(): boolean {
  const shouldFocus = wantsFocus
  wantsFocus = false
  return shouldFocus
}

/** Stored per tab, to survive a reload. With `elsewhere`, focus doesn't move, because the person is navigating away. */
export function setGuideShape(shape: GuideShape, { elsewhere = false } = {}): void {
  wantsFocus = shape !== null && !elsewhere
  if (shape === null) removeTabItem(key)
  else setTabItem(key, shape)
  notify()
}

export const useGuideShape = (): GuideShape => useStore({ get: shapeNow, subscribe })
