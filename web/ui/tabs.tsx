import * as Primitive from 'radix-ui/tabs'
import { type ComponentProps, useLayoutEffect, useRef } from 'react'
import { cx } from './cx.ts'

/** Views of one thing, side by side. `value` and `onValueChange`, or `defaultValue`; arrow keys move between the tabs. */
export const Tabs = Primitive.Root

/** Where there is no room for all, the row scrolls; it begins with the tab that is open in view. */
export function TabList({ className, ...props }: ComponentProps<typeof Primitive.List>) {
  const row = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const open = row.current?.querySelector('[data-state="active"]')
    if (!row.current || !open) return
    const beyond = open.getBoundingClientRect().right - row.current.getBoundingClientRect().right
    if (beyond > 0) row.current.scrollLeft += beyond
  }, [])
  return (
    <Primitive.List
      ref={row}
      className={cx('flex gap-4 overflow-x-auto border-line border-b [scrollbar-width:none]', className)}
      {...props}
    />
  )
}

export function Tab({ className, ...props }: ComponentProps<typeof Primitive.Trigger>) {
  return (
    <Primitive.Trigger
      className={cx(
        'relative min-h-11 shrink-0 rounded-tag px-1.5 font-medium text-[0.9375rem] text-muted whitespace-nowrap transition-colors hover:text-ink focus-visible:-outline-offset-2 disabled:opacity-50 data-[state=active]:text-ink',
        'after:absolute after:inset-x-1.5 after:bottom-0 after:h-0.5 after:rounded-full data-[state=active]:after:bg-leaf',
        className,
      )}
      {...props}
    />
  )
}

export function TabPanel({ className, ...props }: ComponentProps<typeof Primitive.Content>) {
  return <Primitive.Content className={cx('pt-5 focus-visible:outline-offset-4', className)} {...props} />
}
