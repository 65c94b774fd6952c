// Constant or rarely rendered: React Compiler's memo code would only grow the initial bundle.
'use no memo'

import { useState, useSyncExternalStore } from 'react'

/** While the pointer is down, nothing may move: releasing it over another element wouldn't be a click. */
let isPressed = false
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

/** A fallback, because the end of some presses isn't reported, for example on a native select's list. */
const maxPressMs = 1000

const release = () => {
  isPressed = false
  for (const listener of listeners) listener()
}
const releaseIn = (ms: number) => {
  clearTimeout(timer)
  timer = setTimeout(release, ms)
}
const press = () => {
  isPressed = true
  releaseIn(maxPressMs)
}
/** Releases after the following click. */
const letGo = () => releaseIn(0)

const watched = { pointerdown: press, pointerup: letGo, pointercancel: letGo }

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) for (const [type, heard] of Object.entries(watched)) window.addEventListener(type, heard, true)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    for (const [type, heard] of Object.entries(watched)) window.removeEventListener(type, heard, true)
    clearTimeout(timer)
    isPressed = false
  }
}

/** Calls back once the pointer is up and held-back values are shown. */
export function onceStill(then: () => void): void {
  if (!isPressed) {
    then()
    return
  }
  const stop = subscribe(() => {
    stop()
    // Runs after React has rendered the updates of the other listeners.
    setTimeout(then)
  })
}

/**
 * Delays showing or hiding a value until the pointer is up: leaving a field by pressing a button shows the field's error, which would push
 * the button away from under the pointer.
 */
export function useStableWhilePressed<Value>(value: Value): Value {
  const [shown, setShown] = useState(value)
  const isPressing = useSyncExternalStore(
    subscribe,
    () => isPressed && value !== shown,
    () => false,
  )
  if (!isPressing && value !== shown) setShown(value)
  return isPressing ? shown : value
}
