import type { Insertable } from 'kysely'
import type { DB, Db } from '#server/db/connect.ts'
import { newId } from '#server/kernel/ids.ts'

let count = 0

type Members = { owner: string; moderators?: string[]; members?: string[] }

/** Inserts a community with its members directly, without side effects. */
export async function addCommunity(
  db: Db,
  { owner, moderators = [], members = [] }: Members,
  details: Partial<Insertable<DB['communities']>> = {},
): Promise<{ id: string; slug: string; name: string }> {
  const number = ++count
  const row = {
    id: newId(),
    slug: `community-${number}-${process.pid}`,
    name: `Community ${number}`,
    category: 'growing' as const,
    visibility: 'public' as const,
    created_by: owner,
    member_count: 1 + moderators.length + members.length,
    ...details,
  }
  await db.insertInto('communities').values(row).execute()
  const roles = [
    { user_id: owner, role: 'owner' as const },
    ...moderators.map((id) => ({ user_id: id, role: 'moderator' as const })),
    ...members.map((id) => ({ user_id: id, role: 'member' as const })),
  ]
  await db
    .insertInto('community_members')
    .values(roles.map((each) => ({ ...each, community_id: row.id })))
    .execute()
  return { id: row.id, slug: row.slug, name: row.name }
}

export const joinCommunity = (db: Db, communityId: string, userId: string) =>
  db.insertInto('community_members').values({ community_id: communityId, user_id: userId }).execute()

export const muteIn = (db: Db, communityId: string, userId: string, endsAt: Date) =>
  db.insertInto('community_mutes').values({ community_id: communityId, user_id: userId, ends_at: endsAt }).execute()
