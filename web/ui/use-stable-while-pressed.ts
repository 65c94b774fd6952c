import { useState } from 'react'
import { createStore, useStore } from '#web/lib/store.ts'

let timer: ReturnType<typeof setTimeout> | undefined

/** In milliseconds. A fallback, because browsers don't report the end of some presses, for example on a native select's list. */
const maxPressMs = 1000

const releaseIn = (ms: number) => {
  clearTimeout(timer)
  timer = setTimeout(() => isPressed.set(false), ms)
}
const press = () => {
  isPressed.set(true)
  releaseIn(maxPressMs)
}
/** Waits for the click that follows. */
const release = () => releaseIn(0)

const watched = { pointerdown: press, pointerup: release, pointercancel: release }

/** While the pointer is down, nothing may move, because releasing it over another element wouldn't be a click. */
const isPressed = createStore(false, () => {
  for (const [type, heard] of Object.entries(watched)) window.addEventListener(type, heard, true)
  return () => {
    for (const [type, heard] of Object.entries(watched)) window.removeEventListener(type, heard, true)
    clearTimeout(timer)
    isPressed.set(false)
  }
})

/** Runs `then` once the pointer is up and delayed values are shown. */
export function onceReleased(then: () => void): void {
  if (!isPressed.get()) {
    then()
    return
  }
  const stop = isPressed.subscribe(() => {
    stop()
    // Wait until React has rendered the other listeners' updates.
    setTimeout(then)
  })
}

/**
 * Delays showing or hiding a value until the pointer is up. Leaving a field by pressing a button shows the field's error, which would push
 * the button away from under the pointer.
 */
export function useStableWhilePressed<Value>(value: Value): Value {
  const [shown, setShown] = useState(value)
  const isPressing = useStore({ get: () => isPressed.get() && value !== shown, subscribe: isPressed.subscribe })
  if (!isPressing && value !== shown) setShown(value)
  return isPressing ? shown : value
}
