// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import { Bell } from 'lucide-react'
import { lazy, useEffect } from 'react'
import { changeTitle } from '../../lib/document-title.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { LazyMenu } from '../../ui/lazy-menu.tsx'
import { useUnreadCount } from './use-unread-count.ts'

const load = () => import('./notification-panel.tsx')
const NotificationPanel = lazy(load)

/** The bell in a header, with how much is unread; the page's title says it too. It opens the latest few. */
export function NotificationBell({ className }: { className?: string | undefined }) {
  const unread = useUnreadCount()
  useEffect(() => changeTitle({ prefix: unread > 0 ? `(${unread > 99 ? '99+' : unread}) ` : '' }), [unread])
  useEffect(() => () => changeTitle({ prefix: '' }), [])
  return (
    <>
      <LazyMenu menu={NotificationPanel} load={load} popup="dialog">
        <IconButton label={bellLabel(unread)} count={unread} className={className}>
          <Bell aria-hidden="true" />
        </IconButton>
      </LazyMenu>
      <span role="status" className="sr-only">
        {unread > 0 && bellLabel(unread)}
      </span>
    </>
  )
}

export const bellLabel = (unread: number): string =>
  unread === 0 ? 'Notifications' : `Notifications, ${unread > 99 ? 'more than 99' : unread} unread`
