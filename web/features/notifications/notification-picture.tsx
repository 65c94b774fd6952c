import type { Notification } from '../../../contracts/notifications.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { BusinessThumb } from '../businesses/business-picture.tsx'
import { typeWords } from './notification-words.ts'

/** Whose doing it was, with the sign of the type at the corner; the sign alone where nobody stands beside it. */
export function NotificationPicture({ notification: { business, person, type } }: { notification: Notification }) {
  const { Icon } = typeWords[type]
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
