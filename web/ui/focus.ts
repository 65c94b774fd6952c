import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { onceStill } from './use-stable-while-pressed.ts'

/** The focused element when a dialog opens. For a menu item, the menu's button, because the item disappears. */
export function whatOpened(): Element | null {
  const active = document.activeElement
  const menu = active?.closest('[role="menu"]')
  return menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : active
}

/** Restores focus. If the opener is gone, such as the button of a plan just bought, focus moves into the page instead of its start. */
export function focusAgain(opener: Element | null): void {
  // The next screen's heading may have focus already.
  if (document.activeElement !== document.body) return
  const isThere = opener instanceof HTMLElement && opener !== document.body && opener.isConnected
  const back = isThere ? opener : document.querySelector('main')
  back?.focus({ preventScroll: true })
}

/**
 * Props for an element whose content is replaced, such as a button by a form or a list by a shorter one. If the focused part disappears, the
 * element gets focus and scrolls into view. `state` names the current content. Changes while focus is elsewhere, such as live updates, don't
 * move it.
 */
export function useRestoredFocus<Target extends HTMLElement>(state: string) {
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
    // React doesn't fire onBlur while removing elements, so this runs only when the person moves focus.
    onBlur: () => {
      isInside.current = false
    },
  }
}

/**
 * Returns a ref for the element (with `tabIndex={-1}`) that gets focus when a state change removes the focused element. `state` names the
 * current state; null while unknown.
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

/**
 * State and focus of a panel of links. Opening focuses the panel itself, so that Tab starts at its top. Following a link leaves the
 * focus to the new screen; closing otherwise returns it to the button.
 */
export function useMenuFocus() {
  const [isOpen, setOpen] = useState(true)
  const hasFollowed = useRef(false)
  return {
    root: {
      open: isOpen,
      onOpenChange: (open: boolean) => {
        if (open) hasFollowed.current = false
        setOpen(open)
      },
    },
    content: {
      onOpenAutoFocus: (event: Event) => {
        event.preventDefault()
        if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
      },
      onCloseAutoFocus: (event: Event) => {
        if (hasFollowed.current) event.preventDefault()
      },
    },
    onFollow: () => {
      hasFollowed.current = true
    },
  }
}

/** An invalid control, or a group with an error. Only radio groups can be marked invalid themselves. */
const wrong = '[aria-invalid="true"], fieldset[aria-describedby$="-error"]'

function focusFirstError(form: HTMLElement): void {
  const invalid = form.querySelector<HTMLElement>(wrong)
  const isGroup = invalid?.matches('fieldset, [role="radiogroup"]')
  const target = isGroup ? invalid?.querySelector<HTMLElement>('input, button') : invalid
  target?.focus()
  // A group's error is between its legend and its first control.
  const top = isGroup ? invalid?.querySelector('legend') : target
  top?.scrollIntoView({ block: 'nearest' })
}

/**
 * Shows a submitted form's errors and focuses the first one. `show` sets the state that renders them. Fields render their errors only after
 * the click that submitted the form (see `useStableWhilePressed`), so there is nothing to focus before.
 */
export function showErrors(form: HTMLElement | null, show: () => void): void {
  flushSync(show)
  onceStill(() => form && focusFirstError(form))
}
