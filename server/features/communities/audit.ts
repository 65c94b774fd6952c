import type { Tx } from '#server/db/connect.ts'
import { recordAudit } from '#server/features/audit/index.ts'
import type { Actor } from '#server/kernel/actor.ts'

/** Audits an action of an owner, moderator or admin, without anyone's words. Call last in the transaction. */
export const auditCommunity = (
  tx: Tx,
  actor: Pick<Actor, 'id'>,
  action: `community.${string}`,
  communityId: string,
  at: Date,
  details: Record<string, string | number | boolean | null> = {},
) => recordAudit(tx, { at, actorId: actor.id, action, subjectType: 'community', subjectId: communityId, details })
