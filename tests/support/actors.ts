import type { Actor } from '../../server/kernel/actor.ts'

/** Somebody who calls a feature without a session: a member in good standing, unless the details say otherwise. */
export const actorOf = (id: string, details: Partial<Actor> = {}): Actor => ({
  id,
  sessionId: id,
  role: 'member',
  heldRole: details.role ?? 'member',
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
