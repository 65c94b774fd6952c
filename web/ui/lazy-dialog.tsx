import { type ComponentType, lazy, Suspense, useEffect } from 'react'
import { isMissingCode } from '../lib/missing-code.ts'
import { tellMissing } from './tell-missing.ts'

/** How a dialog says that it is closed, and whether it is open where it stays in its place. */
type Closing = { open?: boolean; onOpenChange: (isOpen: boolean) => void } | { open?: boolean; onClose: () => void }

/**
 * A dialog whose code comes when it is opened. Where the code does not arrive, this is said, and the dialog is closed as by its cross: the
 * page under it, and what is typed there, has nothing to do with it.
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: said once for each press, not whenever the page draws itself anew
  useEffect(() => {
    if (!open) return
    tellMissing()
    if ('onClose' in props) props.onClose()
    else props.onOpenChange(false)
  }, [open])
  return null
}
