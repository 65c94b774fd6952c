import type { Selectable } from 'kysely'
import type { CurrentUser, Role } from '../../../contracts/accounts.ts'
import type { Preferences } from '../../../contracts/preferences.ts'
import type { DB } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import { bylinePicture } from '../../kernel/media-address.ts'

/** The columns of `users` that the signed-in person sees of themselves. */
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
  'is_profile_public',
  'profile_moderation',
  'allow_location_sharing',
  'region',
  'temperature_unit',
  'length_unit',
  'mass_unit',
  'distance_unit',
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

/** What keeps somebody from writing or from being here, as long as it does. */
export function standingOf(
  row: Pick<CurrentUserRow, 'muted_until' | 'suspended_until' | 'banned_at'>,
  now: Date,
): Pick<Actor, 'mutedUntil' | 'suspendedUntil'> {
  const lasting = (end: Date | null) => (end !== null && end > now ? end : null)
  return { mutedUntil: lasting(row.muted_until), suspendedUntil: row.banned_at === null ? lasting(row.suspended_until) : 'forever' }
}

/** How a session stands with the second factor, and what it may use of the account's role. */
export type SessionFactor = Pick<CurrentUser, 'activeRole' | 'secondFactor'>

const hour = 3_600_000
/** What moderators and admins do asks for it again after this long: a device that is left open is nobody's for a month. */
const roleLastsMs = 12 * hour

export function factorOf(session: { role: Role; hasFactor: boolean; shownAt: Date | null }, now: Date): SessionFactor {
  const { role, hasFactor, shownAt } = session
  const isRecent = shownAt !== null && now.getTime() - shownAt.getTime() < roleLastsMs
  return { activeRole: isRecent ? role : 'member', secondFactor: shownAt !== null ? 'shown' : hasFactor ? 'owed' : 'off' }
}

/** Of somebody who has typed a password and may be anybody: what the page needs to ask for the code. */
export const withheld = (user: CurrentUser): CurrentUser => ({
  ...user,
  displayName: null,
  firstName: null,
  lastName: null,
  profileImageUrl: null,
  businessType: null,
  licenseNumber: null,
  birthday: null,
  interests: [],
  followingCount: 0,
  followersCount: 0,
  postsCount: 0,
  subscriptionTier: null,
  subscriptionEndsAt: null,
  location: null,
  bio: null,
})

/** The checks of the columns allow nothing else. */
const toPreferences = (row: CurrentUserRow): Preferences => ({
  region: row.region,
  temperature: row.temperature_unit as Preferences['temperature'],
  length: row.length_unit as Preferences['length'],
  mass: row.mass_unit as Preferences['mass'],
  distance: row.distance_unit as Preferences['distance'],
})

export function toCurrentUser(row: CurrentUserRow, factor: SessionFactor): CurrentUser {
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
    activeRole: factor.activeRole,
    secondFactor: factor.secondFactor,
    businessType: row.business_type,
    licenseNumber: row.license_number,
    birthday: row.birthday,
    interests: row.interests,
    followingCount: row.following_count,
    followersCount: row.followers_count,
    postsCount: row.posts_count,
    subscriptionTier: row.subscription_tier,
    subscriptionEndsAt: row.subscription_ends_at?.toISOString() ?? null,
    location: row.location,
    bio: row.bio,
    isProfilePublic: row.is_profile_public,
    isProfileHidden: row.profile_moderation !== null,
    allowLocationSharing: row.allow_location_sharing,
    preferences: toPreferences(row),
    hasConfirmedAge: row.age_confirmed_at !== null,
    hasCompletedOnboarding: row.has_completed_onboarding,
    createdAt: row.created_at.toISOString(),
    mutedUntil: row.muted_until?.toISOString() ?? null,
    suspendedUntil: row.banned_at ? 'forever' : (row.suspended_until?.toISOString() ?? null),
    leavesAt: row.leaves_at?.toISOString() ?? null,
  }
}
