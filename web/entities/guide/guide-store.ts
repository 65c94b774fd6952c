import { forget, recall, remember } from '#web/forms/tab-memory.ts'
import { createListeners, useStore } from '#web/lib/store.ts'

/** `card`: open. `button`: minimized. Null: not opened in this tab, so its default shape applies. */
export type GuideShape = 'card' | 'button' | null

const key = 'guide'
const { notify, subscribe } = createListeners()

const shapeNow = (): GuideShape => {
  const stored = recall(key)
  return stored === 'card' || stored === 'button' ? stored : null
}

/** The person changed its shape, so move the focus there. */
let wantsFocus = false

/** Returns true once after the person changed the guide's shape. */
export function takeFocusWish(): boolean {
  const wish = wantsFocus
  wantsFocus = false
  return wish
}

/** Stored per tab, so that it survives a reload. `elsewhere`: the person is navigating away, so don't move the focus. */
export function setGuideShape(shape: GuideShape, { elsewhere = false } = {}): void {
  wantsFocus = shape !== null && !elsewhere
  if (shape === null) forget(key)
  else remember(key, shape)
  notify()
}

export const useGuideShape = (): GuideShape => useStore({ get: shapeNow, subscribe })
