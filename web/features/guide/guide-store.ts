import { useSyncExternalStore } from 'react'
import { forget, recall, remember } from '../accounts/tab-memory.ts'

/** `card`: open. `button`: small, at the corner. Null: nobody asked for it in this tab, so it is where it is by itself. */
export type GuideShape = 'card' | 'button' | null

const key = 'guide'
const listeners = new Set<() => void>()

const shapeNow = (): GuideShape => {
  const kept = recall(key)
  return kept === 'card' || kept === 'button' ? kept : null
}

/** It was turned into this by hand: then the focus goes there once it is. */
let wantsFocus = false

/** True once after the guide was turned by hand. */
export function takeFocusWish(): boolean {
  const wish = wantsFocus
  wantsFocus = false
  return wish
}

/** Kept in the tab: a reload, or the next page, leaves the guide as it was. `elsewhere`: whoever turned it goes somewhere else. */
export function setGuideShape(shape: GuideShape, { elsewhere = false } = {}): void {
  wantsFocus = shape !== null && !elsewhere
  if (shape === null) forget(key)
  else remember(key, shape)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useGuideShape = (): GuideShape => useSyncExternalStore(subscribe, shapeNow, () => null)
