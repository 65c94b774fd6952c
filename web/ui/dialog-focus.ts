/** What has the focus as a dialog opens. A menu's item goes away with its menu, whose button stays. */
export function whatOpened(): Element | null {
  const active = document.activeElement
  const menu = active?.closest('[role="menu"]')
  return menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : active
}

/** What was pressed may be gone since, as the button of a bought plan is: then reading goes on in the page, not at its very beginning. */
export function focusAgain(opener: Element | null): void {
  // The next screen's heading may have it already.
  if (document.activeElement !== document.body) return
  const isThere = opener instanceof HTMLElement && opener !== document.body && opener.isConnected
  const back = isThere ? opener : document.querySelector('main')
  back?.focus({ preventScroll: true })
}
