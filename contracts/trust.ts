/** New accounts have lower rate limits, because most spammers come and go within days. */
export type Trust = 'new' | 'known' | 'trusted'

const day = 86_400_000

/** `known` after three days, `trusted` after thirty, both with a verified email address. */
export function trustOf(account: { createdAt: Date; isEmailVerified: boolean }, now: Date): Trust {
  const ageMs = now.getTime() - account.createdAt.getTime()
  if (!account.isEmailVerified || ageMs < 3 * day) return 'new'
  return ageMs < 30 * day ? 'known' : 'trusted'
}
