import { type FocusEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { onceReleased } from './use-stable-while-pressed.ts'

/** For a menu item, returns the menu's button, because the item disappears. */
export function findOpener(): Element | null {
  const active = document.activeElement
  const menu = active?.closest('[role="menu"]')
  return menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : active
}

/** If the opener is gone, such as the button of a plan just bought, the page's `main` gets focus, so Tab doesn't start at the header. */
export function focusAgain(opener: Element | null): void {
  // The next screen's heading may have focus, so leave it.
  if (document.activeElement !== document.body) return
  const isThere = opener instanceof HTMLElement && opener !== document.body && opener.isConnected
  const back = isThere ? opener : document.querySelector('main')
  back?.focus({ preventScroll: true })
}

/**
 * Props for an element whose content is replaced, such as a button by a form or a list by a shorter one. If the focused part disappears,
 * the element, or `successor` in it, gets focus and scrolls into view. `state` names the current content. If focus is elsewhere, changes
 * such as live updates don't move it.
 */
export function useRestoredFocus<Target extends HTMLElement>(state: string, successor?: RefObject<HTMLElement | null>) {
  const target = useRef<Target>(null)
  const isInside = useRef(false)
  const shown = useRef(state)
  // A layout effect runs before a dialog notices that the focused part is gone and takes focus itself.
  useLayoutEffect(() => {
    if (state === shown.current) return
    shown.current = state
    if (!isInside.current || document.activeElement !== document.body) return
    const next = successor?.current ?? target.current
    next?.focus({ preventScroll: true })
    next?.scrollIntoView({ block: 'nearest' })
  }, [state, successor])
  return {
    ref: target,
    tabIndex: -1,
    onFocus: () => {
      isInside.current = true
    },
    // React doesn't fire onBlur while removing elements, so this runs only when focus moves.
    onBlur: () => {
      isInside.current = false
    },
  }
}

/**
 * Props for a list. If the item with focus is removed, even through its menu, the first control of the item that takes its place gets
 * focus. If no items are left, the dialog or `main` around the list does, so call this in a component that stays when the list is
 * empty.
 */
export function useListFocus<List extends HTMLElement>() {
  const list = useRef<List>(null)
  const isInside = useRef(false)
  const isElsewhere = useRef(false)
  const focused = useRef<Element>(null)
  const place = useRef(0)
  const home = useRef<HTMLElement>(null)
  // Runs on every render, because removing an item renders the list.
  useLayoutEffect(() => {
    if (!isInside.current || document.activeElement !== document.body) return
    if (focused.current?.isConnected) {
      // A control in the item removed itself. If it was in the item's menu or dialog, that returns focus.
      isInside.current = isElsewhere.current
      return
    }
    isInside.current = false
    const items = [...(list.current?.children ?? [])]
    const nearest = [...items.slice(place.current), ...items.slice(0, place.current).reverse()]
    const control = nearest.flatMap((item) => item.querySelector<HTMLElement>('a[href], button') ?? [])[0]
    control?.scrollIntoView({ block: 'nearest' })
    ;(control ?? home.current)?.focus({ preventScroll: true })
  })
  return {
    ref: list,
    onFocus: ({ currentTarget, target }: FocusEvent) => {
      isInside.current = true
      home.current = currentTarget.closest<HTMLElement>('[role="dialog"], main')
      const items = [...currentTarget.children]
      const index = items.findIndex((item) => item.contains(target))
      // An item's menu or dialog is elsewhere in the document. It returns focus itself if the item still exists.
      isElsewhere.current = index < 0
      if (isElsewhere.current) return
      place.current = index
      focused.current = items[index] ?? null
    },
    // React doesn't fire onBlur while removing elements, so this runs only when focus moves.
    onBlur: () => {
      isInside.current = false
    },
  }
}

/**
 * Returns a ref for the element (with `tabIndex={-1}`) that gets focus when a state change removes the focused element. `state` names the
 * current state, or is null while unknown.
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
 * For a panel of links. Opening focuses the panel itself, so Tab starts at its top. Following a link leaves focus to the new screen;
 * closing in any other way returns focus to the button.
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

/** Matches an invalid control, or a group with an error. Only radio groups can be invalid themselves. */
const wrong = '[aria-invalid="true"], fieldset[aria-describedby$="-error"]'

function focusFirstError(form: HTMLElement): void {
  const invalid = form.querySelector<HTMLElement>(wrong)
  const isGroup = invalid?.matches('fieldset, [role="radiogroup"]')
  const target = isGroup ? invalid?.querySelector<HTMLElement>('input, button') : invalid
  target?.focus()
  // A group's error is between its legend and its first control, so scroll to the legend.
  const top = isGroup ? invalid?.querySelector('legend') : target
  top?.scrollIntoView({ block: 'nearest' })
}

/**
 * `show` sets the state that renders a submitted form's errors. Fields render them only after the click that submitted the form (see
 * `useStableWhilePressed`), so there's nothing to focus before that.
 */
export function showErrors(form: HTMLElement | null, show: () => void): void {
  flushSync(show)
  onceReleased(() => form && focusFirstError(form))
}
