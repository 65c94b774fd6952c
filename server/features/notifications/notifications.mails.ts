import type { Notification } from '#contracts/notifications.ts'
import type { Context } from '#server/kernel/context.ts'
import type { Mail } from '#server/kernel/mail.ts'
import { unsubscribeToken } from './unsubscribe.ts'

/** "3 new notifications": the only thing a locked phone or a shared mailbox shows. */
export const countOfNew = (count: number): string => `${count} new notification${count === 1 ? '' : 's'}`

type Content = { userId: string; email: string; items: readonly Notification[]; more: number }

/**
 * Lists titles and links, and never the text below a title. Unsubscribing takes one click in the email app (RFC 8058) or a link in the
 * text.
 */
export function notificationsMail({ brand, config }: Pick<Context, 'brand' | 'config'>, { userId, email, items, more }: Content): Mail {
  const token = unsubscribeToken(config.sessionSecret, userId)
  const paragraphs = [
    ...items.map(({ title, actionUrl }) => `${oneLine(title)}\n${config.publicUrl}${actionUrl}`),
    ...(more > 0 ? [`and ${more} more: ${config.publicUrl}/notifications`] : []),
    `Choose what we notify you about: ${config.publicUrl}/settings\nUnsubscribe from these emails: ${config.publicUrl}/unsubscribe/${token}`,
    `${brand.name} · ${brand.supportEmail}`,
  ]
  return {
    to: email,
    subject: `You have ${countOfNew(items.length + more)}`,
    text: `${paragraphs.join('\n\n')}\n`,
    about: items.flatMap(({ person }) => person?.id ?? []),
    headers: {
      'List-Unsubscribe': `<${config.publicUrl}/api/unsubscribe/${token}>, <mailto:${brand.supportEmail}?subject=unsubscribe>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  }
}

/** A title is user text: it must not be able to start a line that looks like ours. */
const oneLine = (text: string): string => text.replace(/\s+/g, ' ')
