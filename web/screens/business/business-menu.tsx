import { Ellipsis } from 'lucide-react'
import { lazy } from 'react'
import { IconButton } from '#web/ui/icon-button.tsx'
import { LazyMenu } from '#web/ui/lazy-overlays.tsx'
import type { BusinessMenuProps } from './open-business-menu.tsx'

const load = () => import('./open-business-menu.tsx')
const OpenBusinessMenu = lazy(load)

export function BusinessMenu(props: BusinessMenuProps) {
  return (
    <LazyMenu menu={{ draw: (trigger) => <OpenBusinessMenu {...props} trigger={trigger} /> }} load={load}>
      <IconButton label={`More about ${props.business.name}`} variant="outline">
        <Ellipsis aria-hidden="true" />
      </IconButton>
    </LazyMenu>
  )
}
