import { CatchBoundary } from '@tanstack/react-router'
import { type ComponentType, cloneElement, type ReactElement, type ReactNode, Suspense, useState } from 'react'
import { isMissingCode } from '#web/lib/missing-code.ts'
import { toastMissingCode } from './error-toasts.ts'

type TriggerProps = {
  onClick?: () => void
  onPointerEnter?: () => void
  onFocus?: () => void
  'aria-haspopup'?: 'menu' | 'dialog'
  'aria-expanded'?: boolean
}

/** Export of a lazy menu: initially open (`defaultOpen`), with `trigger` inside its `MenuTrigger asChild`. */
export type LoadedMenu = ComponentType<{ trigger: ReactElement }>

type LazyMenuProps = {
  /** The menu as a React `lazy` component, or a function that renders it around its trigger. `load` prefetches the same module. */
  menu: LoadedMenu | { draw: (trigger: ReactElement) => ReactNode }
  load: () => Promise<unknown>
  popup?: 'menu' | 'dialog' | undefined
  children: ReactElement<TriggerProps>
}

/**
 * A menu that adds only its button to the first load. Its code loads when the button is hovered or focused. After the first click, the real
 * menu takes over the button.
 */
export function LazyMenu({ menu, load, popup = 'menu', children }: LazyMenuProps) {
  const [wanted, setWanted] = useState(false)
  // A failed prefetch is retried on click, which reports errors.
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

/** Only the button, so that the failure doesn't affect the page and its input. */
function Unopened({ error, children }: { error: unknown; children: ReactElement<TriggerProps> }) {
  if (!isMissingCode(error)) throw error
  return cloneElement(children, { onClick: toastMissingCode })
}
