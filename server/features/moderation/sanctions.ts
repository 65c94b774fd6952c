import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import type { Context } from '../../kernel/context.ts'
import type { CommunityModeration } from './ports.ts'

/** Of the sanctions that stand on somebody, the one that lasts longest. */
type Standing = { mutedUntil: Date | null; suspendedUntil: Date | null; bannedAt: Date | null; bannedUntil: Date | null }

async function standingOf(tx: Tx, userId: string, communityId: string | null): Promise<Standing> {
  const row = await tx
    .selectFrom('moderation_actions')
    .select([
      sql<Date | null>`max(ends_at) filter (where action = 'mute')`.as('muted_until'),
      sql<Date | null>`max(ends_at) filter (where action = 'suspend')`.as('suspended_until'),
      sql<Date | null>`min(created_at) filter (where action = 'ban')`.as('banned_at'),
      sql<Date | null>`case when bool_or(ends_at is null) filter (where action = 'ban') then null
        else max(ends_at) filter (where action = 'ban') end`.as('banned_until'),
    ])
    .where('user_id', '=', userId)
    .where('undone_at', 'is', null)
    .where(sql<boolean>`community_id is not distinct from ${communityId}::uuid`)
    .executeTakeFirstOrThrow()
  return { mutedUntil: row.muted_until, suspendedUntil: row.suspended_until, bannedAt: row.banned_at, bannedUntil: row.banned_until }
}

/** Writes to an account what stands of the site's sanctions. The person is locked by the caller: see `lockPeople`. */
export async function writeStanding(tx: Tx, userId: string): Promise<void> {
  const { mutedUntil, suspendedUntil, bannedAt } = await standingOf(tx, userId, null)
  await tx
    .updateTable('users')
    .set({ muted_until: mutedUntil, suspended_until: suspendedUntil, banned_at: bannedAt })
    .where('id', '=', userId)
    .execute()
}

/**
 * The same of a community's: of a mute or a ban, whichever was done or undone. One that is over does not stand any more: to write it again
 * would put somebody out who has come back since.
 */
export async function writeCommunityStanding(
  tx: Tx,
  ctx: Context,
  communities: CommunityModeration,
  who: { communityId: string; userId: string },
  action: 'mute' | 'ban',
): Promise<void> {
  const { mutedUntil, bannedAt, bannedUntil } = await standingOf(tx, who.userId, who.communityId)
  const now = ctx.clock.now()
  const isOver = (until: Date | null) => until !== null && until <= now
  if (action === 'mute') await communities.setMute(tx, ctx, who, isOver(mutedUntil) ? null : mutedUntil)
  else await communities.setBan(tx, ctx, who, bannedAt === null || isOver(bannedUntil) ? null : (bannedUntil ?? 'forever'))
}
