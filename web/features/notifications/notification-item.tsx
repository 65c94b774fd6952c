import { Check } from 'lucide-react'
import type { Notification } from '../../../contracts/notifications.ts'
import { Ago } from '../../ui/ago.tsx'
import { Badge } from '../../ui/badge.tsx'
import { buttonClass } from '../../ui/button-class.ts'
import { cx } from '../../ui/cx.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { ActionLink } from './action-link.tsx'
import { NotificationPicture } from './notification-picture.tsx'
import { typeWords } from './notification-words.ts'
import { useFollowNews } from './use-follow-news.ts'

type NotificationItemProps = { notification: Notification; onRead: () => void }

/** One line of the page. Following its link reads it. */
export function NotificationItem({ notification, onRead }: NotificationItemProps) {
  const { title, content, type, createdAt, isRead, actionUrl } = notification
  const followNews = useFollowNews()
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
            {typeWords[type].label}
          </Badge>
          <Ago at={createdAt} className="max-sm:text-xs" />
          {/* At the right of the title; on a phone, where that is narrow, the link stands at the end of this line. */}
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
