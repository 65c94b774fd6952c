import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { FieldError } from './field.tsx'

type RetryLineProps = {
  /** What failed to load, and why. */
  children: ReactNode
  onRetry: () => void
  pending: boolean
}

/** An inline error; for a whole section see error-state.tsx. */
export const RetryLine = ({ children, onRetry, pending }: RetryLineProps) => (
  <div role="alert" className="flex flex-wrap items-center justify-between gap-3">
    <FieldError>{children}</FieldError>
    <Button variant="secondary" size="sm" onClick={onRetry} pending={pending}>
      Retry
    </Button>
  </div>
)
