import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CheckCheck, SlidersHorizontal } from 'lucide-react'
import { messageOf } from '../../lib/api-error.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { MorePages } from '../../ui/more-pages.tsx'
import { SkeletonGroup, SkeletonRow } from '../../ui/skeleton.tsx'
import { NotificationItem } from './notification-item.tsx'
import { notificationsOptions } from './notifications.api.ts'
import { TypesCard } from './types-card.tsx'
import { useReading } from './use-reading.ts'
import { useUnreadCount } from './use-unread-count.ts'

export function NotificationsScreen() {
  const unread = useUnreadCount()
  const { markAllRead } = useReading()
  return (
    <div className="mx-auto max-w-page px-4 pt-8 pb-16 sm:px-6">
      <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="text-2xl sm:text-3xl">Notifications</h1>
          {unread > 0 && (
            <Badge variant="leaf" className="tabular-nums">
              {unread > 99 ? '99+' : unread} unread
            </Badge>
          )}
        </div>
        <div className="flex flex-wrap gap-2">
          {unread > 0 && (
            <Button variant="secondary" onClick={markAllRead}>
              <CheckCheck aria-hidden="true" />
              Mark All Read
            </Button>
          )}
          <Button asChild variant="quiet">
            <Link to="/notifications/preferences">
              <SlidersHorizontal aria-hidden="true" />
              Preferences
            </Link>
          </Button>
        </div>
      </header>
      <p role="status" className="sr-only">
        {unread === 0 ? 'Nothing is unread' : `${unread > 99 ? 'More than 99' : unread} unread`}
      </p>
      <div className="mt-6 grid items-start gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <List />
        <TypesCard />
      </div>
    </div>
  )
}

function List() {
  const list = useInfiniteQuery(notificationsOptions)
  const { markRead } = useReading()
  if (list.isPending) {
    return (
      <Card>
        <SkeletonGroup label="Loading your notifications..." className="divide-y divide-line px-4 sm:px-5">
          {[1, 2, 3, 4, 5, 6].map((row) => (
            <div key={row} className="py-1.5">
              <SkeletonRow />
            </div>
          ))}
        </SkeletonGroup>
      </Card>
    )
  }
  if (!list.data) {
    return (
      <Card>
        <ErrorState
          title="Your notifications could not be loaded"
          description={messageOf(list.error)}
          onRetry={() => void list.refetch()}
          pending={list.isFetching}
        />
      </Card>
    )
  }
  const notifications = list.data.pages.flatMap(({ items }) => items)
  if (notifications.length === 0) {
    return (
      <Card>
        <EmptyState title="No notifications yet" description="Follow businesses and people, and their news arrives here.">
          <Button asChild>
            <Link to="/discover">Discover Businesses</Link>
          </Button>
        </EmptyState>
      </Card>
    )
  }
  return (
    <div>
      <Card asChild>
        <ul className="divide-y divide-line">
          {notifications.map((notification) => (
            <li key={notification.id}>
              <NotificationItem notification={notification} onRead={() => markRead(notification.id)} />
            </li>
          ))}
        </ul>
      </Card>
      <MorePages list={list} />
    </div>
  )
}
