import { Ellipsis } from 'lucide-react'
import { lazy } from 'react'
import { IconButton } from '#web/ui/button.tsx'
import { LazyMenu } from '#web/ui/lazy-overlays.tsx'
import type { PostMenuProps } from './open-post-menu.tsx'

const load = () => import('./open-post-menu.tsx')
const OpenPostMenu = lazy(load)

export function PostMenu(props: PostMenuProps) {
  const { title } = props.post
  return (
    <LazyMenu menu={{ draw: (trigger) => <OpenPostMenu {...props} trigger={trigger} /> }} load={load}>
      <IconButton label={`More actions for ${title}`} size="sm">
        <Ellipsis aria-hidden="true" />
      </IconButton>
    </LazyMenu>
  )
}
