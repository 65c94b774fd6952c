import { lazy, type ReactElement } from 'react'
import { LazyMenu } from '#web/ui/lazy-overlays.tsx'
import type { Choices } from './choice-list.tsx'

const load = () => import('./choice-list.tsx')
const ChoiceList = lazy(load)

export function ChoiceMenu({ children, ...choices }: Choices & { children: ReactElement<{ onClick?: () => void }> }) {
  return (
    <LazyMenu menu={{ draw: (trigger) => <ChoiceList {...choices} trigger={trigger} /> }} load={load}>
      {children}
    </LazyMenu>
  )
}
