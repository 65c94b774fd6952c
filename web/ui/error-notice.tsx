// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import { CloudOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from './cx.ts'

export type ErrorNoticeProps = {
  /** What happened. */
  title: string
  /** What to do, when a retry alone may not help. */
  description?: ReactNode
  /** The ways out: buttons and links. */
  children?: ReactNode
  /** Where the title stands in the page's outline; 1 when this is the whole screen. */
  level?: 1 | 2 | 3 | undefined
  className?: string | undefined
}

/** What {@link ErrorState} looks like. In a file of its own, so that the page's frame does not load the button's code. */
export function ErrorNotice({ title, description, children, level = 2, className }: ErrorNoticeProps) {
  const Heading = `h${level}` as const
  return (
    <div role="alert" className={cx('mx-auto grid max-w-md justify-items-center gap-2 px-4 py-12 text-center', className)}>
      <span className="mb-3 grid size-16 place-items-center rounded-full bg-clay-soft text-clay">
        <CloudOff aria-hidden="true" className="size-7" />
      </span>
      <Heading className="text-xl">{title}</Heading>
      {description && <p className="text-muted">{description}</p>}
      <div className="mt-4 flex flex-wrap justify-center gap-3">{children}</div>
    </div>
  )
}
