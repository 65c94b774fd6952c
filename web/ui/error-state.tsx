import { CloudOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { messageOf } from '#web/lib/api-error.ts'
import { Button } from './button.tsx'
import { cx } from './cx.ts'
import { FieldError } from './field.tsx'

type ErrorStateProps = ErrorNoticeProps & {
  onRetry?: (() => void) | undefined
  pending?: boolean | undefined
}

/** `children` are alternatives to Retry, such as a link. */
export function ErrorState({ onRetry, pending, children, ...notice }: ErrorStateProps) {
  return (
    <ErrorNotice {...notice}>
      {onRetry && (
        <Button variant="secondary" onClick={onRetry} pending={pending}>
          Retry
        </Button>
      )}
      {children}
    </ErrorNotice>
  )
}

type LoadErrorProps = Pick<ErrorNoticeProps, 'title' | 'level' | 'className'> & {
  query: { error: unknown; refetch: () => unknown; isFetching: boolean }
}

export const LoadError = ({ query, ...notice }: LoadErrorProps) => (
  <ErrorState {...notice} description={messageOf(query.error)} onRetry={() => void query.refetch()} pending={query.isFetching} />
)

type ErrorNoticeProps = {
  title: string
  description?: ReactNode
  children?: ReactNode
  /** The heading level. Set to 1 if this is the whole screen. */
  level?: 1 | 2 | 3 | undefined
  className?: string | undefined
}

/** Looks like {@link ErrorState}, without Retry. */
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

type RetryLineProps = {
  children: ReactNode
  onRetry: () => void
  pending: boolean
}

/** For a whole section, use `ErrorState`. */
export const RetryLine = ({ children, onRetry, pending }: RetryLineProps) => (
  <div role="alert" className="flex flex-wrap items-center justify-between gap-3">
    <FieldError>{children}</FieldError>
    <Button variant="secondary" size="sm" onClick={onRetry} pending={pending}>
      Retry
    </Button>
  </div>
)
