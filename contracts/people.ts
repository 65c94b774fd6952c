import { AccountType, Birthday } from './accounts.ts'
import { Id, line } from './fields.ts'
import { placeName } from './place-name.ts'
import * as z from './zod.ts'

export const Person = z.object({ id: Id, name: z.string(), imageUrl: z.nullable(z.string()) })
export type Person = z.infer<typeof Person>

export const PersonInList = z.extend(Person, {
  isFollowing: z.boolean(),
  isSelf: z.boolean(),
})
export type PersonInList = z.infer<typeof PersonInList>

/** Fields that the viewer can't see are null. A private profile shows only the name. */
export const Profile = z.extend(Person, {
  isProfilePublic: z.boolean(),
  isSelf: z.boolean(),
  isFollowing: z.boolean(),
  isBlocked: z.boolean(),
  /** False if no one can message the account, because it's banned or being deleted. */
  isReachable: z.boolean(),
  userType: z.nullable(AccountType),
  location: z.nullable(z.string()),
  bio: z.nullable(z.string()),
  interests: z.array(z.string()),
  followingCount: z.nullable(z.int()),
  followersCount: z.nullable(z.int()),
  /** Personal posts only. */
  postsCount: z.nullable(z.int()),
  createdAt: z.nullable(z.iso.datetime()),
})
export type Profile = z.infer<typeof Profile>

export const PersonalProfile = z.object({
  firstName: line(80, 'First name is required'),
  lastName: line(80, 'Last name is required'),
  location: placeName('Location is required'),
  bio: z._default(line(1000), ''),
  interests: z._default(z.array(line(40)).check(z.maxLength(30, 'At most 30 interests')), []),
  isProfilePublic: z._default(z.boolean(), false),
  allowLocationSharing: z._default(z.boolean(), true),
  /** Required once for accounts that signed up through OpenID. Ignored if the account has a birthday. */
  birthday: z.optional(Birthday),
})
export type PersonalProfile = z.infer<typeof PersonalProfile>
