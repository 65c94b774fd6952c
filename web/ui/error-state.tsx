import { Button } from './button.tsx'
import { ErrorNotice, type ErrorNoticeProps } from './error-notice.tsx'

type ErrorStateProps = ErrorNoticeProps & {
  onRetry?: (() => void) | undefined
  pending?: boolean | undefined
}

/** Something failed to load: what happened, what to do, and Retry. `children` are alternatives, such as a link. */
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
