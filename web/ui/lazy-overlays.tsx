import { CatchBoundary } from '@tanstack/react-router'
import { type ComponentType, cloneElement, lazy, type ReactElement, type ReactNode, Suspense, useEffect, useState } from 'react'
import { isMissingCode, messageOf } from '#web/lib/api-error.ts'
import { toast } from './toast-store.ts'

type Closing = { open?: boolean; onOpenChange: (isOpen: boolean) => void } | { open?: boolean; onClose: () => void }

/**
 * Loads the dialog's code when it is first rendered. If that fails, shows a message and closes the dialog, without affecting the page below
 * or anything typed there.
 */
export function lazyDialog<Props extends Closing>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const Dialog = lazy<ComponentType<Props>>(async () => {
    try {
      return { default: await load() }
    } catch (error) {
      if (!isMissingCode(error)) throw error
      return { default: LoadFailure }
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

function LoadFailure(props: Closing) {
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

type TriggerProps = {
  onClick?: () => void
  onPointerEnter?: () => void
  onFocus?: () => void
  'aria-haspopup'?: 'menu' | 'dialog'
  'aria-expanded'?: boolean
}

/** Must be open initially (`defaultOpen`), with `trigger` inside its `MenuTrigger asChild`. */
export type LoadedMenu = ComponentType<{ trigger: ReactElement }>

type LazyMenuProps = {
  /** A React `lazy` component, or a function that renders the menu around its trigger. `load` prefetches the same module. */
  menu: LoadedMenu | { draw: (trigger: ReactElement) => ReactNode }
  load: () => Promise<unknown>
  popup?: 'menu' | 'dialog' | undefined
  children: ReactElement<TriggerProps>
}

/**
 * Only the menu's button is part of the first load. The menu's code loads when the button is hovered or focused. After the first click, the
 * real menu takes over the button.
 */
export function LazyMenu({ menu, load, popup = 'menu', children }: LazyMenuProps) {
  const [wanted, setWanted] = useState(false)
  // A click retries a failed prefetch and reports errors.
  const prefetch = () => void load().catch(() => undefined)
  const plain = cloneElement(children, {
    onClick: () => setWanted(true),
    onPointerEnter: prefetch,
    onFocus: prefetch,
    'aria-haspopup': popup,
    'aria-expanded': wanted,
  })
  if (!wanted) return plain
  return (
    <CatchBoundary
      getResetKey={() => popup}
      onCatch={(error) => isMissingCode(error) && toastMissingCode()}
      errorComponent={({ error }) => <Unopened error={error}>{children}</Unopened>}
    >
      <Suspense fallback={plain}>{'draw' in menu ? menu.draw(children) : <Opened menu={menu} trigger={children} />}</Suspense>
    </CatchBoundary>
  )
}

const Opened = ({ menu: Loaded, trigger }: { menu: LoadedMenu; trigger: ReactElement }) => <Loaded trigger={trigger} />

/** Shows only the button, so the failure doesn't affect the page or anything typed there. */
function Unopened({ error, children }: { error: unknown; children: ReactElement<TriggerProps> }) {
  if (!isMissingCode(error)) throw error
  return cloneElement(children, { onClick: toastMissingCode })
}

/** Reports that code couldn't be loaded, without affecting the page or anything typed there. */
export function toastMissingCode(): void {
  toast({
    title: 'This couldn’t be opened',
    description: 'You may be offline, or a newer version may be available. Reload the page when you’re ready.',
    action: { label: 'Reload', onClick: () => location.reload() },
  })
}

/** For settings saved immediately. */
export const toastNotSaved = (error: unknown): void =>
  void toast({ title: 'Your settings weren’t saved', description: messageOf(error), variant: 'destructive' })
