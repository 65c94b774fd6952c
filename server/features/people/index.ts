import { sql } from 'kysely'
import * as contract from '#contracts/people.endpoints.ts'
import type { Profile } from '#contracts/people.ts'
import { compileOnce, compileShared, type Slots } from '#server/db/compile-once.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { asLocked, type Locked } from '#server/db/locked.ts'
import { pageIds } from '#server/db/page-ids.ts'
import { notFound } from '#server/kernel/errors.ts'
import { bylinePicture } from '#server/kernel/media-address.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { bylineColumns, toPerson } from './byline.ts'
import { hiddenFollows, isNotBlocked } from './visibility.ts'

export {
  bylineColumns,
  ensureFormerMember,
  hiddenName,
  isAcquainted,
  isNamed,
  peopleById,
  sortName,
  toPerson,
  toPersonOrNull,
  unmoderatedName,
} from './byline.ts'
export {
  businessNotBlocked,
  hiddenFollows,
  isAccountActive,
  isBlockedByBusiness,
  isNotBlocked,
  isPortraitShown,
  mayReadPortrait,
  noBlockWithBusiness,
  notBlocked,
  notBlockedBy,
  requireOpenProfile,
  requireVisiblePerson,
  type VisiblePerson,
  visiblePeople,
} from './visibility.ts'

export function registerPeople(api: Api): void {
  route(api, contract.getProfile, ({ ctx, actor, params }) => getProfile(ctx.db, actor.id, params.id))
}

/**
 * Shows the person themselves everything, and others only the name if the profile is private, or only "Member" if it is
 * hidden by moderators.
 * @throws AppError not_found, including across a block in either direction
 */
async function getProfile(db: Db, viewerId: string, personId: string): Promise<Profile> {
  const [row] = await profileRows(db, { viewerId, personId })
  if (!row) throw notFound('This person can’t be found or isn’t visible to you.')
  const isSelf = row.id === viewerId
  const base = {
    ...toPerson(row),
    isProfilePublic: row.is_profile_public,
    isSelf,
    isFollowing: Boolean(row.is_following),
    // Blocked people have no profile for the viewer, who unblocks them in the list of blocks.
    isBlocked: false,
    isReachable: row.banned_at === null && row.leaves_at === null,
  }
  if ((!row.is_profile_public || row.profile_moderation !== null) && !isSelf) return { ...base, isProfilePublic: false, ...nothing }
  const own = toPerson({ ...row, profile_moderation: null })
  return {
    ...base,
    name: own.name,
    imageUrl: bylinePicture(row.image_id),
    userType: row.user_type,
    location: isSelf || row.allow_location_sharing ? row.location : null,
    bio: row.bio,
    interests: row.interests,
    followingCount: row.following_count - row.hidden_follows,
    followersCount: row.followers_count,
    postsCount: row.posts_count,
    createdAt: row.created_at.toISOString(),
  }
}

const nothing = {
  userType: null,
  location: null,
  bio: null,
  interests: [],
  followingCount: null,
  followersCount: null,
  postsCount: null,
  createdAt: null,
}

type ProfileParams = { viewerId: string; personId: string }

const profileRows = compileShared({ viewerId: 'uuid', personId: 'uuid' }, (db, { viewerId, personId }: Slots<ProfileParams>) =>
  db
    .selectFrom('users')
    .select([
      ...bylineColumns,
      'user_type',
      'location',
      'bio',
      'interests',
      'following_count',
      'followers_count',
      'posts_count',
      'allow_location_sharing',
      'created_at',
      'banned_at',
      'leaves_at',
    ])
    .select((eb) =>
      eb
        .exists(
          eb.selectFrom('person_follows').select('person_id').where('follower_id', '=', viewerId).whereRef('person_id', '=', 'users.id'),
        )
        .as('is_following'),
    )
    .select(hiddenFollows(sql`users.id`).as('hidden_follows'))
    .where('users.id', '=', personId)
    .where(isNotBlocked(sql`${viewerId}::uuid`, sql`users.id`)),
)

/**
 * Locks these people in ID order, so that concurrent transactions can't deadlock. Take this lock after a business's, never before. Returns
 * the IDs in their original order, undefined for people who don't exist.
 */
export async function lockPeople<const Ids extends readonly string[]>(
  tx: Tx,
  ids: Ids,
): Promise<{ [Place in keyof Ids]: Locked<'users'> | undefined }> {
  const rows = await lockRows(tx, { ids })
  const existing = new Set(rows.map((row) => row.id))
  return ids.map((id) => (existing.has(id) ? asLocked('users', id) : undefined)) as {
    [Place in keyof Ids]: Locked<'users'> | undefined
  }
}

const lockRows = compileOnce(['ids'], (db, { ids }: Slots<{ ids: readonly string[] }>) =>
  db
    .selectFrom('users')
    .select('id')
    .where(sql<boolean>`id = ${pageIds(ids)}`)
    .orderBy('id')
    .forNoKeyUpdate(),
)

/** Locks one person, like `lockPeople`. A deleted account has nothing to lock. */
export async function lockPerson(tx: Tx, id: string): Promise<Locked<'users'>> {
  await lockPeople(tx, [id])
  return asLocked('users', id)
}

/** Changes and returns how many people and businesses someone follows. Call in the transaction that changes the follow. */
export async function changeFollowingCount(tx: Tx, userId: string, by: number): Promise<number> {
  const { following_count } = await tx
    .updateTable('users')
    .set((eb) => ({ following_count: eb('following_count', '+', by) }))
    .where('id', '=', userId)
    .returning('following_count')
    .executeTakeFirstOrThrow()
  return following_count
}

/**
 * Counts a follow between people (1) or its end (-1). Returns how many the follower follows. Call in the transaction that changes the
 * follow.
 */
export async function countPersonFollow(tx: Tx, followerId: Locked<'users'>, personId: Locked<'users'>, by: 1 | -1): Promise<number> {
  const rows = await changeBothCounts(tx, { followerId, personId, by })
  return rows.find(({ id }) => id === followerId)?.following_count ?? 0
}

type Follow = { followerId: string; personId: string; by: number }

const changeBothCounts = compileOnce(
  ['followerId', 'personId', 'by'],
  (_db, { followerId, personId, by }: Slots<Follow>) => sql<{ id: string; following_count: number }>`
    update users set
      following_count = following_count + case when id = ${followerId}::uuid then ${by}::integer else 0 end,
      followers_count = followers_count + case when id = ${personId}::uuid then ${by}::integer else 0 end
    where id in (${followerId}::uuid, ${personId}::uuid) returning id, following_count`,
)
