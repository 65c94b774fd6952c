import type { CurrentUser } from '../../../contracts/accounts.ts'
import type { ProfileEdits } from '../../../contracts/settings.ts'

export type ProfileValues = {
  displayName: string
  firstName: string
  lastName: string
  location: string
  bio: string
  interests: string[]
  /** Of the picture that is shown; empty for none. */
  pictureUrl: string
  /** Of that picture, where it is a new one. */
  pictureId: string
}

/** In the order of the page: the first that is wrong gets the focus. */
export const profileFields = ['displayName', 'firstName', 'lastName', 'location', 'bio', 'interests'] as const

export const valuesOf = (user: CurrentUser): ProfileValues => ({
  displayName: user.displayName ?? '',
  firstName: user.firstName ?? '',
  lastName: user.lastName ?? '',
  location: user.location ?? '',
  bio: user.bio ?? '',
  interests: user.interests,
  pictureUrl: user.profileImageUrl ?? '',
  pictureId: '',
})

/** What was changed, and nothing else: the rest stays as it may have been changed elsewhere meanwhile. */
export function editsOf(values: ProfileValues, saved: ProfileValues): ProfileEdits {
  const changed = profileFields.filter((field) => String(values[field]) !== String(saved[field]))
  return {
    ...Object.fromEntries(changed.map((field) => [field, values[field]])),
    ...(values.pictureUrl === saved.pictureUrl ? {} : { imageId: values.pictureId || null }),
  }
}
