/**
 * Shows an icon-only control's name to people who point at it or reach it by Tab. Assistive technology reads the same name. One tooltip
 * serves the whole page, in the browser's top layer, so screens don't render their own.
 */

/** In milliseconds: the delay before a tooltip opens on hover, and the time after it closes in which the next one opens immediately. */
export const [openDelay, skipDelay] = [700, 300]

/** In milliseconds: the time to move the pointer from the control to its tooltip, which stays open while hovered. */
const leaveDelay = 100
const [gap, margin] = [6, 8]

let shown: HTMLElement | null = null
/** The hovered control. Once pressed, its tooltip remains closed until the pointer returns. */
let wanted: HTMLElement | null = null
let closedAt = Number.NEGATIVE_INFINITY
let opening: ReturnType<typeof setTimeout> | undefined
let closing: ReturnType<typeof setTimeout> | undefined
let isTabbing = false

/** The control at `target`, if it has an icon and no text. A badge's number doesn't count as text, because the label contains it. */
function iconControl(target: EventTarget | null): HTMLElement | null {
  const control = target instanceof Element ? target.closest<HTMLElement>('button, a, [role="button"]') : null
  if (!control?.getAttribute('aria-label') || !control.querySelector('svg') || control.getAttribute('aria-expanded') === 'true') return null
  const badges = [...control.querySelectorAll('[aria-hidden="true"]')].map(({ textContent }) => textContent).join('')
  return control.textContent.trim() === badges.trim() ? control : null
}

export function onPointerOver({ target, pointerType }: PointerEvent): void {
  if (pointerType !== 'mouse' && pointerType !== 'pen') return
  const control = iconControl(target)
  clearTimeout(closing)
  if (shown?.contains(target as Node) || control === wanted) return
  wanted = control
  clearTimeout(opening)
  const isNext = shown !== null || performance.now() - closedAt < skipDelay
  if (control) opening = setTimeout(() => open(control), isNext ? 0 : openDelay)
  else if (shown) closing = setTimeout(close, leaveDelay)
}

function onFocusIn({ target }: FocusEvent): void {
  const control = isTabbing ? iconControl(target) : null
  isTabbing = false
  if (control) open(control)
  else close()
}

function open(control: HTMLElement): void {
  close()
  const text = control.getAttribute('aria-label')
  if (!control.isConnected || !text) return
  const tip = document.createElement('div')
  // Only visual, because assistive technology reads the control's own name, which is the same text.
  tip.setAttribute('role', 'tooltip')
  tip.setAttribute('aria-hidden', 'true')
  tip.className =
    'fixed inset-auto m-0 max-w-64 animate-fade rounded-[0.5rem] border-0 bg-ink px-2.5 py-1.5 text-ground text-sm shadow-lift z-50 print:hidden'
  tip.textContent = text
  document.body.append(tip)
  // Shows the tooltip above open dialogs, if the browser supports that.
  if ('popover' in tip) {
    tip.popover = 'manual'
    tip.showPopover()
  }
  const at = control.getBoundingClientRect()
  const { width, height } = tip.getBoundingClientRect()
  const left = Math.min(Math.max(margin, at.left + (at.width - width) / 2), document.documentElement.clientWidth - width - margin)
  const above = at.top - gap - height
  tip.style.left = `${left}px`
  tip.style.top = `${above >= margin ? above : at.bottom + gap}px`
  shown = tip
  wanted = control
}

function close(): void {
  clearTimeout(opening)
  clearTimeout(closing)
  if (!shown) return
  shown.remove()
  shown = null
  closedAt = performance.now()
}

/** Called on a press, scroll or Escape, after which the next tooltip must not open immediately. */
function dismiss(): void {
  close()
  closedAt = Number.NEGATIVE_INFINITY
}

export function listenForTooltips(): void {
  document.addEventListener('pointerover', onPointerOver)
  document.documentElement.addEventListener('pointerleave', () => {
    wanted = null
    close()
  })
  document.addEventListener('pointerdown', dismiss)
  // Listen in the capture phase, because toasts stop these events.
  document.addEventListener('focusin', onFocusIn, true)
  document.addEventListener('focusout', close, true)
  document.addEventListener('scroll', dismiss, { capture: true, passive: true })
  document.addEventListener('keydown', ({ key }) => {
    isTabbing = key === 'Tab'
    if (key === 'Escape') dismiss()
  })
}
