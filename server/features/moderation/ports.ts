import type { Db, Tx } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import type { Subjects } from './subjects.ts'

export type InCommunity = { communityId: string; userId: string }

/** What communities do for their moderators. Moderation knows of them by this alone: they are held for review as everything else is. */
export type CommunityModeration = {
  /** Whether somebody moderates a community now. */
  moderates(db: Db, actor: Pick<Actor, 'id'>, communityId: string, now: Date): Promise<boolean>
  /** Until then they read there but write nothing; null takes it away. */
  setMute(tx: Tx, ctx: Context, who: InCommunity, until: Date | null): Promise<void>
  /** Puts them out until then; null lets them come back, and gives no membership back. */
  setBan(tx: Tx, ctx: Context, who: InCommunity, until: Date | 'forever' | null): Promise<void>
}

export type ModerationParts = { subjects: Subjects; communities: CommunityModeration }
