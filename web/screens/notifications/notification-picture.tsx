import {
  AtSign,
  BadgeAlert,
  BadgeCheck,
  CalendarClock,
  CalendarDays,
  CalendarX,
  CircleCheck,
  Dna,
  Heart,
  ImageOff,
  type LucideIcon,
  Mail,
  Megaphone,
  MessageCircle,
  MessageSquareReply,
  PackageCheck,
  PackagePlus,
  PenLine,
  Reply,
  Scale,
  Sprout,
  Star,
  ThumbsUp,
  Unplug,
  UserPlus,
  UsersRound,
  Wheat,
} from 'lucide-react'
import { type NotificationIcon, notificationDescriptions } from '#contracts/notification-types.ts'
import type { Notification } from '#contracts/notifications.ts'
import { BusinessThumb } from '#web/entities/businesses/business-picture.tsx'
import { Avatar } from '#web/ui/avatar.tsx'

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

const notificationIcons: Record<NotificationIcon, LucideIcon> = {
  'at-sign': AtSign,
  'badge-alert': BadgeAlert,
  'badge-check': BadgeCheck,
  'calendar-clock': CalendarClock,
  'calendar-days': CalendarDays,
  'calendar-x': CalendarX,
  'circle-check': CircleCheck,
  dna: Dna,
  heart: Heart,
  'image-off': ImageOff,
  mail: Mail,
  megaphone: Megaphone,
  'message-circle': MessageCircle,
  'message-square-reply': MessageSquareReply,
  'package-check': PackageCheck,
  'package-plus': PackagePlus,
  'pen-line': PenLine,
  reply: Reply,
  scale: Scale,
  sprout: Sprout,
  star: Star,
  'thumbs-up': ThumbsUp,
  unplug: Unplug,
  'user-plus': UserPlus,
  'users-round': UsersRound,
  wheat: Wheat,
}
