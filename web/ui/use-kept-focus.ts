import { useEffect, useRef } from 'react'

/**
 * Props for an element in which one part takes the place of another: a form that of a button, a list that of a longer one. Where the focus
 * was in it and goes with what leaves, the element takes it, and comes into view. `state` names what is shown. What changes by itself while
 * the focus is elsewhere, as by news from the server, moves nothing.
 */
export function useKeptFocus<Target extends HTMLElement>(state: string) {
  const target = useRef<Target>(null)
  const isInside = useRef(false)
  const shown = useRef(state)
  useEffect(() => {
    if (state === shown.current) return
    shown.current = state
    if (!isInside.current || document.activeElement !== document.body) return
    target.current?.focus({ preventScroll: true })
    target.current?.scrollIntoView({ block: 'nearest' })
  }, [state])
  return {
    ref: target,
    tabIndex: -1,
    onFocus: () => {
      isInside.current = true
    },
    // React is deaf while it takes elements away: this is told only of a focus that somebody moved.
    onBlur: () => {
      isInside.current = false
    },
  }
}
