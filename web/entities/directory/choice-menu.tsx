import { lazy, type ReactElement } from 'react'
import { LazyMenu } from '#web/ui/lazy-overlays.tsx'
import { type Choices, ChoicesContext } from './choices.ts'

const load = () => import('./choice-list.tsx')
const ChoiceList = lazy(load)

/** Single choice behind a button. Prefetches the list on hover. */
export function ChoiceMenu({ children, ...choices }: Choices & { children: ReactElement<{ onClick?: () => void }> }) {
  return (
    <ChoicesContext value={choices}>
      <LazyMenu menu={ChoiceList} load={load}>
        {children}
      </LazyMenu>
    </ChoicesContext>
  )
}
