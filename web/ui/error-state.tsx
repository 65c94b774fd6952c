import { CloudOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { cx } from './cx.ts'

type ErrorStateProps = {
  /** What happened. */
  title: string
  /** What to do, when a retry alone may not help. */
  description?: ReactNode
  onRetry?: (() => void) | undefined
  pending?: boolean | undefined
  /** Another way out: a link elsewhere. */
  children?: ReactNode
  level?: 2 | 3 | undefined
  className?: string | undefined
}

/** Something did not load: what happened, what to do, and Retry. */
export function ErrorState({ title, description, onRetry, pending, children, level = 2, className }: ErrorStateProps) {
  const Heading = `h${level}` as const
  return (
    <div role="alert" className={cx('mx-auto grid max-w-md justify-items-center gap-2 px-4 py-12 text-center', className)}>
      <span className="mb-3 grid size-16 place-items-center rounded-full bg-clay-soft text-clay">
        <CloudOff aria-hidden="true" className="size-7" />
      </span>
      <Heading className="text-xl">{title}</Heading>
      {description && <p className="text-muted">{description}</p>}
      <div className="mt-4 flex flex-wrap justify-center gap-3">
        {onRetry && (
          <Button variant="secondary" onClick={onRetry} pending={pending}>
            Retry
          </Button>
        )}
        {children}
      </div>
    </div>
  )
}
