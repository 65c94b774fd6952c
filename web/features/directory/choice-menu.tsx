import { lazy, type ReactElement } from 'react'
import { LazyMenu } from '../../ui/lazy-menu.tsx'
import { type Choices, ChoicesContext } from './choices.ts'

const load = () => import('./choice-list.tsx')
const ChoiceList = lazy(load)

/** One of several, behind a button. The list is fetched when the button is pointed at. */
export function ChoiceMenu({ children, ...choices }: Choices & { children: ReactElement<{ onClick?: () => void }> }) {
  return (
    <ChoicesContext value={choices}>
      <LazyMenu menu={ChoiceList} load={load}>
        {children}
      </LazyMenu>
    </ChoicesContext>
  )
}
