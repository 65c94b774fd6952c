import type { ReactNode } from 'react'
import { cx } from './cx.ts'

type EmptyStateProps = {
  title: string
  description?: ReactNode
  children?: ReactNode
  /** The heading level. Set to 1 if this is the whole screen. */
  level?: 1 | 2 | 3 | undefined
  className?: string | undefined
}

export function EmptyState({ title, description, children, level = 2, className }: EmptyStateProps) {
  const Heading = `h${level}` as const
  return (
    <div className={cx('mx-auto grid max-w-md justify-items-center gap-2 px-4 text-center', level === 1 ? 'py-20' : 'py-12', className)}>
      <Vignette className="mb-3" />
      <Heading className={level === 1 ? 'text-2xl' : 'text-xl'}>{title}</Heading>
      {description && <p className="text-balance text-muted">{description}</p>}
      {children && <div className="mt-4 flex flex-wrap justify-center gap-3">{children}</div>}
    </div>
  )
}

export function Vignette({ className }: { className?: string | undefined }) {
  return (
    <svg viewBox="0 0 96 96" data-cover="farm" aria-hidden="true" className={cx('size-24 rounded-full', className)}>
      <path d="M0 0h96v96H0z" fill="var(--cover-sky)" />
      <circle cx="58" cy="42" r="13" fill="var(--cover-sun)" />
      <path d="M0 58C18 42 34 44 50 55s28 8 46-3v44H0z" fill="var(--cover-far)" />
      <path d="M0 70c16-9 34-8 50 0s32 6 46-2v28H0z" fill="var(--cover-mid)" />
      <path d="M0 84c22-9 44-7 62-1s24 4 34 0v13H0z" fill="var(--cover-near)" />
    </svg>
  )
}
