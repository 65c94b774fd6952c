import type { Profile } from '../../../contracts/people.ts'
import type { Db } from '../../db/connect.ts'
import { notFound } from '../../kernel/errors.ts'
import { bylinePicture } from '../../kernel/media-address.ts'
import { bylineColumns, toPerson } from './byline.ts'
import { notBlocked } from './visibility.ts'

/**
 * A person as this viewer may see them: everything to themselves, the name alone of a profile that is not public.
 * @throws AppError not_found, also where one has blocked the other
 */
export async function getProfile(db: Db, viewerId: string, personId: string): Promise<Profile> {
  const row = await profileRow(db, viewerId, personId)
  if (!row) throw notFound('This person is not here, or not visible to you.')
  const isSelf = row.id === viewerId
  const base = {
    ...toPerson(row),
    isProfilePublic: row.is_profile_public,
    isSelf,
    isFollowing: Boolean(row.is_following),
    // Whoever is blocked has no profile for the viewer: the list of blocks is where a block ends.
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

const profileRow = (db: Db, viewerId: string, personId: string) =>
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
    .where(notBlocked(viewerId, 'users.id'))
    .executeTakeFirst()
