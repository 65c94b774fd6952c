import { type ComponentType, lazy, Suspense, useEffect } from 'react'
import { isMissingCode } from '#web/lib/missing-code.ts'
import { toastMissingCode } from './error-toasts.ts'

/** Props of a dialog: its close callback, and whether it is open if it stays mounted. */
type Closing = { open?: boolean; onOpenChange: (isOpen: boolean) => void } | { open?: boolean; onClose: () => void }

/**
 * A dialog whose code loads when it is opened. If loading fails, shows a message and closes the dialog, so that the page below and its input
 * aren't affected.
 */
export function lazyDialog<Props extends Closing>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const Dialog = lazy<ComponentType<Props>>(async () => {
    try {
      return { default: await load() }
    } catch (error) {
      if (!isMissingCode(error)) throw error
      return { default: NotArrived }
    }
  })
  return function LazyDialog(props: Props) {
    return (
      <Suspense>
        <Dialog {...props} />
      </Suspense>
    )
  }
}

function NotArrived(props: Closing) {
  const { open = true } = props
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per press, not on every render
  useEffect(() => {
    if (!open) return
    toastMissingCode()
    if ('onClose' in props) props.onClose()
    else props.onOpenChange(false)
  }, [open])
  return null
}
