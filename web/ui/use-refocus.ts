import { useEffect, useRef } from 'react'

/**
 * The element (with `tabIndex={-1}`) that takes the focus when a state gives way to another, and what had the focus has gone with it.
 * `state` names it; null while it is not known.
 */
export function useRefocus<Target extends HTMLElement>(state: string | null) {
  const target = useRef<Target>(null)
  const last = useRef(state)
  useEffect(() => {
    if (state === null || state === last.current) return
    const isFirst = last.current === null
    last.current = state
    if (!isFirst && document.activeElement === document.body) target.current?.focus()
  }, [state])
  return target
}
