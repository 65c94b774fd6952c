import { type ComponentProps, createContext, type KeyboardEvent, use, useId, useLayoutEffect, useRef, useState } from 'react'
import { cx } from './cx.ts'

// Implements https://www.w3.org/WAI/ARIA/apg/patterns/tabs/. Radix would add to the first load of the sign-in screen and business pages,
// which start with tabs.

type TabsState = { id: string; open: string; select(value: string): void }
const TabsContext = createContext<TabsState>({ id: '', open: '', select() {} })

type TabsProps = ComponentProps<'div'> & { value?: string; defaultValue?: string; onValueChange?(value: string): void }

/**
 * Set `value` and `onValueChange`, or `defaultValue`. Arrow keys move between tabs and open them. With the value '', none is open, and
 * arrow keys only move, so they don't replace the current content.
 */
export function Tabs({ value, defaultValue = '', onValueChange, ...props }: TabsProps) {
  const id = useId()
  const [chosen, setChosen] = useState(defaultValue)
  const open = value ?? chosen
  function select(next: string) {
    if (next === open) return
    setChosen(next)
    onValueChange?.(next)
  }
  return (
    <TabsContext value={{ id, open, select }}>
      <div {...props} />
    </TabsContext>
  )
}

const steps: Record<string, (from: number, count: number) => number> = {
  ArrowRight: (from, count) => (from + 1) % count,
  ArrowLeft: (from, count) => (from + count - 1) % count,
  Home: () => 0,
  End: (_from, count) => count - 1,
}

function moveByKey(event: KeyboardEvent<HTMLElement>) {
  const step = steps[event.key]
  if (!step || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]:not(:disabled)')]
  const next = tabs[step(tabs.indexOf(event.target as HTMLElement), tabs.length)]
  event.preventDefault()
  next?.focus()
  if (tabs.some((tab) => tab.ariaSelected === 'true')) next?.click()
}

/** Scrolls horizontally if needed, initially to the open tab. */
export function TabList({ className, ...props }: ComponentProps<'div'>) {
  const row = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const open = row.current?.querySelector('[aria-selected="true"]')
    if (!row.current || !open) return
    const beyond = open.getBoundingClientRect().right - row.current.getBoundingClientRect().right
    if (beyond > 0) row.current.scrollLeft += beyond
  }, [])
  return (
    <div
      ref={row}
      role="tablist"
      onKeyDown={moveByKey}
      className={cx('flex gap-4 overflow-x-auto border-line border-b [scrollbar-width:none]', className)}
      {...props}
    />
  )
}

const tabId = (id: string, value: string) => `${id}tab-${value}`
const panelId = (id: string, value: string) => `${id}panel-${value}`

type PartProps<Element extends 'button' | 'div'> = ComponentProps<Element> & { value: string }

/** Links in a row with tabs also need styles for `aria-[current]`. */
export const tabClass =
  'relative min-h-11 shrink-0 rounded-tag px-1.5 font-medium text-[0.9375rem] text-muted whitespace-nowrap transition-colors hover:text-ink focus-visible:-outline-offset-2 after:absolute after:inset-x-1.5 after:bottom-0 after:h-0.5 after:rounded-full'

export function Tab({ value, className, onClick, ...props }: PartProps<'button'>) {
  const { id, open, select } = use(TabsContext)
  const isOpen = value === open
  return (
    <button
      type="button"
      role="tab"
      id={tabId(id, value)}
      aria-selected={isOpen}
      aria-controls={isOpen ? panelId(id, value) : undefined}
      // While a tab is open, the list is a single tab stop.
      tabIndex={isOpen || open === '' ? 0 : -1}
      className={cx(tabClass, 'disabled:opacity-50 aria-selected:text-ink aria-selected:after:bg-leaf', className)}
      onClick={(event) => {
        onClick?.(event)
        select(value)
      }}
      {...props}
    />
  )
}

export function TabPanel({ value, className, ...props }: PartProps<'div'>) {
  const { id, open } = use(TabsContext)
  if (value !== open) return null
  return (
    <div
      role="tabpanel"
      id={panelId(id, value)}
      aria-labelledby={tabId(id, value)}
      // A panel without focusable content must be focusable itself.
      // biome-ignore lint/a11y/noNoninteractiveTabindex: required by the WAI pattern
      tabIndex={0}
      className={cx('pt-5 focus-visible:outline-offset-4', className)}
      {...props}
    />
  )
}
