// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import type { ReactNode } from 'react'
import { cx } from './cx.ts'

/** What is known of one thing: names at the one side, a {@link Fact} each at the other. */
export function Facts({ className, children }: { className?: string; children: ReactNode }) {
  return <dl className={cx('grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-sm', className)}>{children}</dl>
}

/** Shows nothing where there is nothing to say. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (!children) return null
  return (
    <div className="contents">
      <dt className="font-normal! text-muted">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  )
}
