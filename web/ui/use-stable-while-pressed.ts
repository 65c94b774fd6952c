import { useState } from 'react'
import { createStore, useStore } from '#web/lib/store.ts'

let timer: ReturnType<typeof setTimeout> | undefined

/** A fallback, because the end of some presses isn't reported, for example on a native select's list. */
const maxPressMs = 1000

const releaseIn = (ms: number) => {
  clearTimeout(timer)
  timer = setTimeout(() => isPressed.set(false), ms)
}
const press = () => {
  isPressed.set(true)
  releaseIn(maxPressMs)
}
/** Releases after the following click. */
const letGo = () => releaseIn(0)

const watched = { pointerdown: press, pointerup: letGo, pointercancel: letGo }

/** While the pointer is down, nothing may move: releasing it over another element wouldn't be a click. */
const isPressed = createStore(false, () => {
  for (const [type, heard] of Object.entries(watched)) window.addEventListener(type, heard, true)
  return () => {
    for (const [type, heard] of Object.entries(watched)) window.removeEventListener(type, heard, true)
    clearTimeout(timer)
    isPressed.set(false)
  }
})

/** Calls back once the pointer is up and held-back values are shown. */
export function onceStill(then: () => void): void {
  if (!isPressed.get()) {
    then()
    return
  }
  const stop = isPressed.subscribe(() => {
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
  const isPressing = useStore({ get: () => isPressed.get() && value !== shown, subscribe: isPressed.subscribe })
  if (!isPressing && value !== shown) setShown(value)
  return isPressing ? shown : value
}
