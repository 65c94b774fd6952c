// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import { Ellipsis } from 'lucide-react'
import { lazy } from 'react'
import { IconButton } from '../../ui/icon-button.tsx'
import { LazyMenu } from '../../ui/lazy-menu.tsx'
import type { BusinessMenuProps } from './open-business-menu.tsx'

const load = () => import('./open-business-menu.tsx')
const OpenBusinessMenu = lazy(load)

/** What else can be done about a business. */
export function BusinessMenu(props: BusinessMenuProps) {
  return (
    <LazyMenu menu={{ draw: (trigger) => <OpenBusinessMenu {...props} trigger={trigger} /> }} load={load}>
      <IconButton label={`More about ${props.business.name}`} variant="outline">
        <Ellipsis aria-hidden="true" />
      </IconButton>
    </LazyMenu>
  )
}
