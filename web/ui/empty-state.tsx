import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { Vignette } from './vignette.tsx'

type EmptyStateProps = {
  title: string
  description?: ReactNode
  /** The next thing to do: a button or a link. */
  children?: ReactNode
  /** Where the title stands in the page's outline. */
  level?: 2 | 3 | undefined
  className?: string | undefined
}

/** Nothing here yet, and what to do about it. */
export function EmptyState({ title, description, children, level = 2, className }: EmptyStateProps) {
  const Heading = `h${level}` as const
  return (
    <div className={cx('mx-auto grid max-w-md justify-items-center gap-2 px-4 py-12 text-center', className)}>
      <Vignette className="mb-3" />
      <Heading className="text-xl">{title}</Heading>
      {description && <p className="text-balance text-muted">{description}</p>}
      {children && <div className="mt-4 flex flex-wrap justify-center gap-3">{children}</div>}
    </div>
  )
}
