import { dayMs } from './time.ts'

type Names = {
  displayName: string | null
  firstName: string | null
  lastName: string | null
}

/** Only for the person themselves: may contain part of the email address. */
export function ownDisplayName(user: Names & { email: string }): string {
  const [localPart = ''] = user.email.split('@')
  return nameOf(user) || localPart.trim() || 'User'
}

/** For other people: never contains any part of the email address. */
export const publicDisplayName = (user: Names): string => nameOf(user) || 'Member'

function nameOf({ displayName, firstName, lastName }: Names): string {
  return (
    displayName?.trim() ||
    [firstName, lastName]
      .map((part) => part?.trim())
      .filter(Boolean)
      .join(' ')
  )
}

/** New accounts have lower rate limits, because most spammers come and go within days. */
export type Trust = 'new' | 'known' | 'trusted'

/** `known` after three days, `trusted` after thirty, both only with a verified email address. */
export function trustOf(account: { createdAt: Date; isEmailVerified: boolean }, now: Date): Trust {
  const ageMs = now.getTime() - account.createdAt.getTime()
  if (!account.isEmailVerified || ageMs < 3 * dayMs) return 'new'
  return ageMs < 30 * dayMs ? 'known' : 'trusted'
}
