// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import { useState, useSyncExternalStore } from 'react'

/** While something is pressed nothing may move: what is let go elsewhere than it was pressed is no press. */
let isPressed = false
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

/** Not every press ends on the page: the list of a native select takes its end along. */
const longestMs = 1000

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
  releaseIn(longestMs)
}
/** After the click that follows. */
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

/** Calls it once nothing is pressed, and what was held until then is shown. */
export function onceStill(then: () => void): void {
  if (!isPressed) {
    then()
    return
  }
  const stop = subscribe(() => {
    stop()
    // React shows first what the other listeners have told it.
    setTimeout(then)
  })
}

/**
 * What is shown, or not shown any more, only once nothing is pressed: the press that leaves a field brings the field's error, which would
 * push the pressed button away from under the pointer.
 */
export function useHeldStill<Value>(value: Value): Value {
  const [shown, setShown] = useState(value)
  const isHeld = useSyncExternalStore(
    subscribe,
    () => isPressed && value !== shown,
    () => false,
  )
  if (!isHeld && value !== shown) setShown(value)
  return isHeld ? shown : value
}
