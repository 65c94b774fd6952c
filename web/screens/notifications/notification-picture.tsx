import { notificationDescriptions } from '#contracts/notification-types.ts'
import type { Notification } from '#contracts/notifications.ts'
import { BusinessThumb } from '#web/entities/businesses/business-picture.tsx'
import { notificationIcons } from '#web/entities/notifications/notification-words.ts'
import { Avatar } from '#web/ui/avatar.tsx'

/** The actor's picture with the type's icon in the corner; only the icon if there is no actor. */
export function NotificationPicture({ notification: { business, person, type } }: { notification: Notification }) {
  const Icon = notificationIcons[notificationDescriptions[type].icon]
  if (!(business || person)) {
    return (
      <span className="grid size-10 shrink-0 place-items-center rounded-full bg-leaf-soft text-leaf">
        <Icon aria-hidden="true" className="size-5" />
      </span>
    )
  }
  return (
    <span className="relative shrink-0 self-start">
      {business && <BusinessThumb business={business} />}
      {!business && person && <Avatar id={person.id} name={person.name} imageUrl={person.imageUrl} />}
      <span className="absolute -right-2 -bottom-1.5 grid size-5.5 place-items-center rounded-full border border-line bg-raised text-leaf">
        <Icon aria-hidden="true" className="size-3" />
      </span>
    </span>
  )
}
