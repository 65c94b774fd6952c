// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import { Button } from './button.tsx'
import { ErrorNotice, type ErrorNoticeProps } from './error-notice.tsx'

type ErrorStateProps = ErrorNoticeProps & {
  onRetry?: (() => void) | undefined
  pending?: boolean | undefined
}

/** Something did not load: what happened, what to do, and Retry. `children` are another way out: a link elsewhere. */
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
