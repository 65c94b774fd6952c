import type { Selectable } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { CurrentUser, Role } from '#contracts/accounts.ts'
import { hourMs } from '#contracts/time.ts'
import type { DB } from '#server/db/connect.ts'
import type { Actor } from '#server/kernel/actor.ts'
import { resolvePlace } from '#server/kernel/geo/place-search.ts'
import { bylinePicture } from '#server/kernel/media-address.ts'
import { settingColumns, toSettings } from '#server/kernel/setting-columns.ts'

export const currentUserColumns = [
  'id',
  'email',
  'email_verified',
  'display_name',
  'first_name',
  'last_name',
  'image_id',
  'user_type',
  'role',
  'business_type',
  'license_number',
  'birthday',
  'interests',
  'following_count',
  'followers_count',
  'posts_count',
  'subscription_tier',
  'subscription_ends_at',
  'location',
  'bio',
  ...settingColumns('privacy'),
  'profile_moderation',
  ...settingColumns('display'),
  'age_confirmed_at',
  'has_completed_onboarding',
  'created_at',
  'muted_until',
  'suspended_until',
  'banned_at',
  'leaves_at',
  'is_demo',
] as const satisfies readonly (keyof DB['users'])[]

export type CurrentUserRow = Pick<Selectable<DB['users']>, (typeof currentUserColumns)[number]>

export function accountStatusOf(
  row: Pick<CurrentUserRow, 'muted_until' | 'suspended_until' | 'banned_at'>,
  now: Date,
): Pick<Actor, 'mutedUntil' | 'suspendedUntil'> {
  const lasting = (end: Date | null) => (end !== null && end > now ? end : null)
  return { mutedUntil: lasting(row.muted_until), suspendedUntil: row.banned_at === null ? lasting(row.suspended_until) : 'forever' }
}

type SessionFactor = Pick<CurrentUser, 'activeRole' | 'secondFactor'>

export type SessionDetails = SessionFactor & Pick<CurrentUser, 'runsBusiness'>

/** After this long, moderators and admins must confirm the second factor again, in case a device was left unattended. */
const roleLastsMs = 12 * hourMs

export function factorOf(session: { role: Role; hasFactor: boolean; shownAt: Date | null }, now: Date): SessionFactor {
  const { role, hasFactor, shownAt } = session
  const isRecent = shownAt !== null && now.getTime() - shownAt.getTime() < roleLastsMs
  return { activeRole: isRecent ? role : 'member', secondFactor: shownAt !== null ? 'shown' : hasFactor ? 'owed' : 'off' }
}

/** The password alone doesn't prove who this is, so leave out the person's name, profile, birthday and businesses. */
export const redactUser = (user: CurrentUser): CurrentUser => ({
  ...user,
  displayName: null,
  firstName: null,
  lastName: null,
  profileImageUrl: null,
  businessType: null,
  runsBusiness: false,
  licenseNumber: null,
  birthday: null,
  interests: [],
  followingCount: 0,
  followersCount: 0,
  postsCount: 0,
  subscriptionTier: null,
  subscriptionEndsAt: null,
  location: null,
  isLocationKnown: false,
  bio: null,
})

/** Cached, because the current user is read often, and looking up an unknown place takes a millisecond. */
const knownPlaces = new LRUCache<string, boolean>({ max: 5_000 })

function isKnownPlace(text: string): boolean {
  const cached = knownPlaces.get(text)
  if (cached !== undefined) return cached
  const isKnown = resolvePlace(text) !== null
  knownPlaces.set(text, isKnown)
  return isKnown
}

export function toCurrentUser(row: CurrentUserRow, { activeRole, secondFactor, runsBusiness }: SessionDetails): CurrentUser {
  return {
    id: row.id,
    email: row.email,
    isEmailVerified: row.email_verified,
    displayName: row.display_name,
    firstName: row.first_name,
    lastName: row.last_name,
    profileImageUrl: bylinePicture(row.image_id),
    userType: row.user_type,
    role: row.role,
    activeRole,
    secondFactor,
    businessType: row.business_type,
    runsBusiness,
    licenseNumber: row.license_number,
    birthday: row.birthday,
    interests: row.interests,
    followingCount: row.following_count,
    followersCount: row.followers_count,
    postsCount: row.posts_count,
    subscriptionTier: row.subscription_tier,
    subscriptionEndsAt: row.subscription_ends_at?.toISOString() ?? null,
    location: row.location,
    isLocationKnown: row.location !== null && isKnownPlace(row.location),
    bio: row.bio,
    ...toSettings('privacy', row),
    isProfileHidden: row.profile_moderation !== null,
    preferences: toSettings('display', row),
    // A birthday on record was checked when it was entered.
    hasConfirmedAge: row.age_confirmed_at !== null || row.birthday !== null,
    hasCompletedOnboarding: row.has_completed_onboarding,
    createdAt: row.created_at.toISOString(),
    mutedUntil: row.muted_until?.toISOString() ?? null,
    suspendedUntil: row.banned_at ? 'forever' : (row.suspended_until?.toISOString() ?? null),
    leavesAt: row.leaves_at?.toISOString() ?? null,
  }
}
