import { publicDisplayName } from '../../../contracts/display-name.ts'
import type { Person } from '../../../contracts/people.ts'
import { bylinePicture } from '../../kernel/media-address.ts'

export type NamedRow = {
  id: string
  display_name: string | null
  first_name: string | null
  last_name: string | null
  image_id: string | null
  is_profile_public: boolean
  /** Of a profile that moderators hid, others see neither the name nor the picture. */
  profile_moderation: string | null
}

/** The columns of `users` that a byline is made of. */
export const bylineColumns = [
  'users.id',
  'users.display_name',
  'users.first_name',
  'users.last_name',
  'users.image_id',
  'users.is_profile_public',
  'users.profile_moderation',
] as const

/** Somebody as others see them beside what they wrote: of a profile that is not public, the name alone. */
export const toPerson = (row: NamedRow): Person => ({
  id: row.id,
  name: row.profile_moderation === null ? givenName(row) : hiddenName,
  imageUrl: !row.is_profile_public || row.profile_moderation !== null ? null : bylinePicture(row.image_id),
})

/** In the place of a name that moderators hid. */
export const hiddenName = 'Member'

/** The name that somebody gave, hidden by moderators or not: for moderators alone. */
export const givenName = (row: Pick<NamedRow, 'display_name' | 'first_name' | 'last_name'>): string =>
  publicDisplayName({ displayName: row.display_name, firstName: row.first_name, lastName: row.last_name })
