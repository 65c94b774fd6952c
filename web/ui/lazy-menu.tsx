import { CatchBoundary } from '@tanstack/react-router'
import { type ComponentType, cloneElement, type ReactElement, type ReactNode, Suspense, useState } from 'react'
import { isMissingCode } from '../lib/missing-code.ts'
import { tellMissing } from './tell-missing.ts'

type TriggerProps = {
  onClick?: () => void
  onPointerEnter?: () => void
  onFocus?: () => void
  'aria-haspopup'?: 'menu' | 'dialog'
  'aria-expanded'?: boolean
}

/** What a menu that is loaded on demand exports: it opens at once (`defaultOpen`) and puts `trigger` into its `MenuTrigger asChild`. */
export type LoadedMenu = ComponentType<{ trigger: ReactElement }>

type LazyMenuProps = {
  /** The menu, made with React's `lazy`, or what draws it around its trigger; `load` fetches the same module ahead of the click. */
  menu: LoadedMenu | { draw: (trigger: ReactElement) => ReactNode }
  load: () => Promise<unknown>
  popup?: 'menu' | 'dialog' | undefined
  /** The button that opens it. */
  children: ReactElement<TriggerProps>
}

/**
 * A menu in the page's frame that costs the first load nothing but its button. The code comes when the button is pointed at or focused;
 * from the first click on, the real menu owns the button.
 */
export function LazyMenu({ menu, load, popup = 'menu', children }: LazyMenuProps) {
  const [wanted, setWanted] = useState(false)
  // A failed fetch ahead of time is tried again by the click, which says so when it fails.
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
      onCatch={(error) => isMissingCode(error) && tellMissing()}
      errorComponent={({ error }) => <Unopened error={error}>{children}</Unopened>}
    >
      <Suspense fallback={plain}>{'draw' in menu ? menu.draw(children) : <Opened menu={menu} trigger={children} />}</Suspense>
    </CatchBoundary>
  )
}

const Opened = ({ menu: Loaded, trigger }: { menu: LoadedMenu; trigger: ReactElement }) => <Loaded trigger={trigger} />

/** The button alone: the page around it, and what is typed there, has nothing to do with it. */
function Unopened({ error, children }: { error: unknown; children: ReactElement<TriggerProps> }) {
  if (!isMissingCode(error)) throw error
  return cloneElement(children, { onClick: tellMissing })
}
