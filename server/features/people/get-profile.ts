import { sql } from 'kysely'
import type { Profile } from '#contracts/people.ts'
import { compileOnce, type Slots } from '#server/db/compile-once.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { asLocked, type Locked } from '#server/db/locked.ts'
import { notFound } from '#server/kernel/errors.ts'
import { bylinePicture } from '#server/kernel/media-address.ts'
import { bylineColumns, toPerson } from './byline.ts'
import { isNotBlocked } from './visibility.ts'

/**
 * A person as this viewer may see them: everything for themselves, only the name if the profile is private.
 * @throws AppError not_found, also if there is a block in either direction
 */
export async function getProfile(db: Db, viewerId: string, personId: string): Promise<Profile> {
  const [row] = await profileRows(db, { viewerId, personId })
  if (!row) throw notFound("This person can't be found or isn't visible to you.")
  const isSelf = row.id === viewerId
  const base = {
    ...toPerson(row),
    isProfilePublic: row.is_profile_public,
    isSelf,
    isFollowing: Boolean(row.is_following),
    // Blocked people have no profile for the viewer; unblocking happens in the list of blocks.
    isBlocked: false,
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
    followingCount: row.following_count,
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

const profileRows = compileOnce(['viewerId', 'personId'], (db, { viewerId, personId }: Slots<{ viewerId: string; personId: string }>) =>
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
    ])
    .select((eb) =>
      eb
        .exists(
          eb.selectFrom('person_follows').select('person_id').where('follower_id', '=', viewerId).whereRef('person_id', '=', 'users.id'),
        )
        .as('is_following'),
    )
    .where('users.id', '=', personId)
    .where(isNotBlocked(sql`${viewerId}::uuid`, sql`users.id`)),
)

/**
 * Locks these people in ID order, so that concurrent transactions can't deadlock. Take this lock after a business's, never before. Returns
 * the IDs in the given order, undefined for people who don't exist.
 */
export async function lockPeople<const Ids extends readonly string[]>(
  tx: Tx,
  ids: Ids,
): Promise<{ [Place in keyof Ids]: Locked<'users'> | undefined }> {
  const rows = await tx
    .selectFrom('users')
    .select('id')
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  const existing = new Set(rows.map((row) => row.id))
  return ids.map((id) => (existing.has(id) ? asLocked('users', id) : undefined)) as {
    [Place in keyof Ids]: Locked<'users'> | undefined
  }
}

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

export const changeFollowersCount = (tx: Tx, userId: string, by: number) =>
  tx
    .updateTable('users')
    .set((eb) => ({ followers_count: eb('followers_count', '+', by) }))
    .where('id', '=', userId)
    .execute()
