import type { Tx } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import { recordAudit } from '../audit/index.ts'

/** What an owner, a moderator or an admin did with a community: as the last thing of the transaction, and nobody's words. */
export const auditCommunity = (
  tx: Tx,
  actor: Pick<Actor, 'id'>,
  action: `community.${string}`,
  communityId: string,
  at: Date,
  details: Record<string, string | number | boolean | null> = {},
) => recordAudit(tx, { at, actorId: actor.id, action, subjectType: 'community', subjectId: communityId, details })
