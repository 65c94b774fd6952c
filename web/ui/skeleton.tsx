import type { ReactNode } from 'react'
import { cx } from './cx.ts'

const shapes = { block: 'rounded-input', picture: '', line: 'h-3.5 rounded-full', circle: 'shrink-0 rounded-full' }

type SkeletonProps = { shape?: keyof typeof shapes | undefined; className?: string | undefined }

/** Set the content's width and, except for a line, its height. */
export function Skeleton({ shape = 'block', className }: SkeletonProps) {
  return <span className={cx('block animate-shimmer bg-line/70 motion-reduce:animate-none', shapes[shape], className)} />
}

export function SkeletonText({ lines = 2, className }: { lines?: number | undefined; className?: string | undefined }) {
  return (
    <span className={cx('grid gap-2', className)}>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines are alike and never move
        <Skeleton key={line} shape="line" className={cx(line === lines - 1 && lines > 1 ? 'w-3/5' : 'w-full')} />
      ))}
    </span>
  )
}

export function SkeletonCard() {
  return (
    <span className="block overflow-hidden rounded-card border border-line bg-surface">
      <Skeleton shape="picture" className="aspect-[320/168]" />
      <span className="grid gap-3 p-4 sm:p-5">
        <Skeleton className="h-5 w-3/5" />
        <SkeletonText lines={2} />
      </span>
    </span>
  )
}

/** For a row with a round picture: a notification, a person, a message. */
export function SkeletonRow() {
  return (
    <span className="flex items-center gap-3 py-3">
      <Skeleton shape="circle" className="size-10" />
      <SkeletonText lines={2} className="flex-1" />
    </span>
  )
}

type SkeletonGroupProps = {
  /** Announced to screen readers while loading: "Loading your favorites..." */
  label?: string | undefined
  className?: string | undefined
  children: ReactNode
}

/** Announces that content is loading, and hides its placeholders from screen readers. */
export function SkeletonGroup({ label = 'Loading...', className, children }: SkeletonGroupProps) {
  return (
    <div role="status">
      <span className="sr-only">{label}</span>
      <div aria-hidden="true" className={className}>
        {children}
      </div>
    </div>
  )
}
