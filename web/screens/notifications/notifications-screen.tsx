import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  CalendarDays,
  Check,
  CheckCheck,
  type LucideIcon,
  Mail,
  MessageCircle,
  PackagePlus,
  SlidersHorizontal,
  Sprout,
  Star,
  UserPlus,
  UsersRound,
} from 'lucide-react'
import { notificationDescriptions } from '#contracts/notification-types.ts'
import type { Notification } from '#contracts/notifications.ts'
import { notificationsOptions, useMarkRead, useOpenNotification, useUnreadCount } from '#web/entities/notifications/notifications.api.ts'
import { ActionLink } from '#web/ui/action-link.tsx'
import { Ago } from '#web/ui/ago.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import { Card, CardBody } from '#web/ui/card.tsx'
import { cx } from '#web/ui/cx.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { MorePages, useFirstItems } from '#web/ui/paged-list.tsx'
import { SkeletonGroup, SkeletonRow } from '#web/ui/skeleton.tsx'
import { NotificationPicture } from './notification-picture.tsx'

export function NotificationsScreen() {
  const unread = useUnreadCount()
  const { markAllRead } = useMarkRead()
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
        {unread === 0 ? 'You’re all caught up' : `${unread > 99 ? 'More than 99' : unread} unread`}
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
  const isLoading = useFirstItems(list)
  const { markRead } = useMarkRead()
  if (isLoading) {
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
        <LoadError title="Your notifications couldn’t be loaded" query={list} />
      </Card>
    )
  }
  const notifications = list.data.pages.flatMap(({ items }) => items)
  if (notifications.length === 0 && !list.hasNextPage) {
    return (
      <Card>
        <EmptyState title="No notifications yet" description="Follow businesses and people to see their news here.">
          <Button asChild>
            <Link to="/discover">Discover Businesses</Link>
          </Button>
        </EmptyState>
      </Card>
    )
  }
  return (
    <div>
      {notifications.length > 0 && (
        <Card asChild>
          <ul className="divide-y divide-line">
            {notifications.map((notification) => (
              <li key={notification.id}>
                <NotificationItem notification={notification} onRead={() => markRead(notification.id)} />
              </li>
            ))}
          </ul>
        </Card>
      )}
      <MorePages list={list} />
    </div>
  )
}

type NotificationItemProps = { notification: Notification; onRead: () => void }

function NotificationItem({ notification, onRead }: NotificationItemProps) {
  const { title, content, type, createdAt, isRead, actionUrl } = notification
  const followNews = useOpenNotification()
  return (
    <article
      className={cx(
        'relative flex gap-3 px-4 py-4 transition-colors sm:gap-3.5 sm:px-5',
        !isRead && 'bg-leaf-soft/60 before:absolute before:inset-y-0 before:left-0 before:w-0.75 before:bg-leaf',
      )}
    >
      <NotificationPicture notification={notification} />
      <div className="min-w-0 flex-1 sm:pr-28">
        <h2
          className={cx(
            'line-clamp-3 max-sm:mr-8 font-text text-[0.9375rem] leading-snug tracking-normal wrap-anywhere',
            isRead ? 'font-normal' : 'font-semibold',
          )}
        >
          {!isRead && <span className="sr-only">Unread: </span>}
          {title}
        </h2>
        {content && <p className="mt-0.5 line-clamp-2 max-w-text text-muted text-sm wrap-anywhere">{content}</p>}
        <div className="mt-2 flex flex-wrap items-center gap-x-2 gap-y-1.5 text-muted sm:gap-x-2.5 text-sm">
          <Badge variant="outline" className="bg-surface">
            {notificationDescriptions[type].label}
          </Badge>
          <Ago at={createdAt} className="max-sm:text-xs" />
          {/* These are to the right of the title. On phones, the link is at the end of this line instead. */}
          <div className="ml-auto flex items-center gap-1 text-ink sm:absolute sm:top-3.5 sm:right-5">
            {!isRead && (
              <IconButton
                label={`Mark as read: ${title}`}
                size="sm"
                onClick={onRead}
                className="max-sm:absolute max-sm:top-3 max-sm:right-3"
              >
                <Check aria-hidden="true" />
              </IconButton>
            )}
            <ActionLink
              href={actionUrl}
              onClick={() => {
                followNews(actionUrl)
                if (!isRead) onRead()
              }}
              className={buttonClass('secondary', 'sm')}
            >
              View<span className="sr-only">: {title}</span>
            </ActionLink>
          </div>
        </div>
      </div>
    </article>
  )
}

const typeGroups: readonly { title: string; text: string; Icon: LucideIcon }[] = [
  { title: 'Posts and farm updates', text: 'News from businesses and people you follow, including harvests.', Icon: Sprout },
  { title: 'Products', text: 'New and updated products from businesses you follow.', Icon: PackagePlus },
  { title: 'Likes, comments and mentions', text: 'Activity on your posts and comments, and mentions of you.', Icon: MessageCircle },
  { title: 'Messages', text: 'Message requests. Other messages have their own badge.', Icon: Mail },
  { title: 'Followers and subscribers', text: 'New followers, and subscribers to your business.', Icon: UserPlus },
  { title: 'Reviews', text: 'Reviews of your business, replies to your reviews and helpful votes.', Icon: Star },
  { title: 'Events', text: 'New events from businesses you follow, and reminders of events you’re going to.', Icon: CalendarDays },
  { title: 'Communities', text: 'Join requests, invitations and your accepted answers.', Icon: UsersRound },
]

function TypesCard() {
  return (
    <Card asChild>
      <section aria-labelledby="notification-types">
        <CardBody>
          <h2 id="notification-types" className="text-lg">
            What we notify you about
          </h2>
          <ul className="mt-4 grid gap-4">
            {typeGroups.map(({ title, text, Icon }) => (
              <li key={title} className="flex gap-3">
                <Icon aria-hidden="true" className="mt-0.5 size-4.5 shrink-0 text-leaf" />
                <div>
                  <p className="font-medium text-[0.9375rem]">{title}</p>
                  <p className="text-muted text-sm">{text}</p>
                </div>
              </li>
            ))}
          </ul>
          <p className="mt-5 border-line border-t pt-4 text-sm">
            <Link to="/notifications/preferences" className={textLink}>
              Change notification preferences
            </Link>
          </p>
        </CardBody>
      </section>
    </Card>
  )
}
