import { AccountType } from './accounts.ts'
import { Id } from './fields.ts'
import * as z from './zod.ts'

/** A person as shown next to their content. */
export const Person = z.object({ id: Id, name: z.string(), imageUrl: z.nullable(z.string()) })
export type Person = z.infer<typeof Person>

export const PersonInList = z.extend(Person, {
  isFollowing: z.boolean(),
  isSelf: z.boolean(),
})
export type PersonInList = z.infer<typeof PersonInList>

/** Null fields aren't visible to this viewer: a private profile shows only the name. */
export const Profile = z.extend(Person, {
  isProfilePublic: z.boolean(),
  isSelf: z.boolean(),
  isFollowing: z.boolean(),
  isBlocked: z.boolean(),
  userType: z.nullable(AccountType),
  location: z.nullable(z.string()),
  bio: z.nullable(z.string()),
  interests: z.array(z.string()),
  followingCount: z.nullable(z.int()),
  followersCount: z.nullable(z.int()),
  /** Only personal posts. */
  postsCount: z.nullable(z.int()),
  createdAt: z.nullable(z.iso.datetime()),
})
export type Profile = z.infer<typeof Profile>
