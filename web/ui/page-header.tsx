import type { ReactNode } from 'react'
import { cx } from './cx.ts'

type PageHeaderProps = {
  title: ReactNode
  description?: ReactNode
  /** On the right, or below the text on phones. */
  children?: ReactNode
  className?: string | undefined
}

/** The only `h1` of a screen. */
export function PageHeader({ title, description, children, className }: PageHeaderProps) {
  return (
    <header className={cx('flex flex-wrap items-end justify-between gap-x-6 gap-y-4', className)}>
      <div className="max-w-text">
        <h1 className="text-2xl sm:text-3xl">{title}</h1>
        {description && <p className="mt-1.5 text-muted">{description}</p>}
      </div>
      {children && <div className="flex flex-wrap gap-2">{children}</div>}
    </header>
  )
}
