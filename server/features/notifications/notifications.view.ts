import type { Notification } from '#contracts/notifications.ts'
import { toPersonOrNull } from '#server/features/people/index.ts'
import { toBusinessByline } from '#server/features/posts/index.ts'
import { descriptionOf, type NotificationRow } from './notification-types.ts'

export function toNotification(row: NotificationRow): Notification {
  const { from, words } = descriptionOf(row.type)
  const person = toPersonOrNull({ ...row, id: row.actor_id })
  const business = row.business_name ?? 'A business'
  const who = withOthers(person?.name ?? business, row.others)
  const told = { facts: row.facts, row, business, person: person?.name ?? 'Someone', who }
  const isFromBusiness = from === 'business' || (person === null && from !== 'site')
  return {
    id: row.id,
    type: row.type,
    title: words.title(told),
    content: words.text?.(told) ?? '',
    isRead: row.is_read,
    createdAt: row.created_at.toISOString(),
    actionUrl: words.path(told),
    business: isFromBusiness ? toBusinessByline(row) : null,
    person: isFromBusiness ? null : person,
  }
}

function withOthers(name: string, others: number): string {
  if (others === 0) return name
  return `${name} and ${others} ${others === 1 ? 'other' : 'others'}`
}
