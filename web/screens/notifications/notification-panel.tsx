import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import type { Notification } from '#contracts/notifications.ts'
import {
  latestNotificationsOptions,
  useMarkRead,
  useOpenNotification,
  useUnreadCount,
} from '#web/entities/notifications/notifications.api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { ActionLink } from '#web/ui/action-link.tsx'
import { Ago } from '#web/ui/ago.tsx'
import { Button } from '#web/ui/button.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import { cx } from '#web/ui/cx.ts'
import { useMenuFocus } from '#web/ui/focus.ts'
import { useFirstItems } from '#web/ui/paged-list.tsx'
import { Popover, PopoverClose, PopoverContent, PopoverTrigger } from '#web/ui/popover.tsx'
import { SkeletonGroup, SkeletonRow } from '#web/ui/skeleton.tsx'
import { NotificationPicture } from './notification-picture.tsx'

/** Opens on mount, because the first press on the bell loads it. */
export default function NotificationPanel({ trigger }: { trigger: ReactElement }) {
  const { root, content, onFollow } = useMenuFocus()
  return (
    <Popover {...root}>
      <PopoverTrigger asChild>{trigger}</PopoverTrigger>
      <PopoverContent align="end" aria-label="Notifications" className="w-96! p-0!" {...content}>
        <Head />
        <Latest onFollow={onFollow} />
        <div className="border-line border-t p-2">
          <PopoverClose asChild>
            <Link to="/notifications" onClick={onFollow} className={buttonClass('quiet', 'md', 'w-full')}>
              See all
            </Link>
          </PopoverClose>
        </div>
      </PopoverContent>
    </Popover>
  )
}

function Head() {
  const unread = useUnreadCount()
  const { markAllRead } = useMarkRead()
  return (
    <div className="flex min-h-13 items-center justify-between gap-3 border-line border-b py-2 pr-2 pl-4">
      <h2 className="text-lg">Notifications</h2>
      {unread > 0 && (
        <Button variant="quiet" size="sm" onClick={markAllRead}>
          Mark All Read
        </Button>
      )}
    </div>
  )
}

function Latest({ onFollow }: { onFollow: () => void }) {
  // Refetches even cached notifications, because the bell may not have been opened for a while.
  const list = useInfiniteQuery({ ...latestNotificationsOptions, refetchOnMount: 'always' })
  const isLoading = useFirstItems(list)
  const { markRead } = useMarkRead()
  const followNews = useOpenNotification()
  if (isLoading) {
    return (
      <SkeletonGroup label="Loading your notifications..." className="px-4 py-1">
        <SkeletonRow />
        <SkeletonRow />
        <SkeletonRow />
      </SkeletonGroup>
    )
  }
  const notifications = list.data?.pages.find(({ items }) => items.length > 0)?.items ?? []
  if (!list.data || (notifications.length === 0 && list.isFetchNextPageError)) {
    return (
      <div role="alert" className="grid justify-items-center gap-3 px-4 py-6 text-center">
        <p className="text-muted">{messageOf(list.error)}</p>
        <Button variant="secondary" size="sm" onClick={() => void list.refetch()} pending={list.isFetching}>
          Retry
        </Button>
      </div>
    )
  }
  if (notifications.length === 0) return <p className="px-4 py-8 text-center text-muted">No notifications yet</p>
  return (
    <ul className="max-h-[min(26rem,60dvh)] overflow-y-auto overscroll-contain p-1.5">
      {notifications.map((notification) => (
        <li key={notification.id}>
          <PopoverClose asChild>
            <ActionLink
              href={notification.actionUrl}
              onClick={() => {
                onFollow()
                followNews(notification.actionUrl)
                if (!notification.isRead) markRead(notification.id)
              }}
              className="flex gap-3.5 rounded-[0.5rem] px-2.5 py-2.5 transition-colors hover:bg-sunk"
            >
              <Line notification={notification} />
            </ActionLink>
          </PopoverClose>
        </li>
      ))}
    </ul>
  )
}

function Line({ notification }: { notification: Notification }) {
  const { title, content, createdAt, isRead } = notification
  return (
    <>
      <NotificationPicture notification={notification} />
      <span className="min-w-0 flex-1 text-sm">
        <span className={cx('line-clamp-2 wrap-anywhere', !isRead && 'font-semibold')}>
          {!isRead && <span className="sr-only">Unread: </span>}
          {title}
        </span>
        {content && <span className="line-clamp-1 text-muted wrap-anywhere">{content}</span>}
        <Ago at={createdAt} className="text-muted text-xs" />
      </span>
      {!isRead && <span aria-hidden="true" className="mt-1.5 size-2 shrink-0 rounded-full bg-leaf" />}
    </>
  )
}
