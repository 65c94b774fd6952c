import { Bell } from 'lucide-react'
import { lazy, useEffect } from 'react'
import { useUnreadCount } from '#web/entities/notifications/use-unread-count.ts'
import { changeTitle } from '#web/lib/document-title.ts'
import { IconButton } from '#web/ui/button.tsx'
import { LazyMenu } from '#web/ui/lazy-overlays.tsx'

const load = () => import('./notification-panel.tsx')
const NotificationPanel = lazy(load)

/** The bell in a header, with the unread count, which is also in the page title. Opens the latest notifications. */
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
