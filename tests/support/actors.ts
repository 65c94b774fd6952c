import type { Actor } from '#server/kernel/actor.ts'

/** An actor for calling a feature without a session: by default a member without restrictions. */
export const actorOf = (id: string, details: Partial<Actor> = {}): Actor => ({
  id,
  sessionId: id,
  role: 'member',
  grantedRole: details.role ?? 'member',
  owesSecondFactor: false,
  trust: 'trusted',
  mutedUntil: null,
  suspendedUntil: null,
  hasPlan: false,
  leavesAt: null,
  userType: 'consumer',
  isDemo: false,
  birthday: '1990-04-01',
  ...details,
})
