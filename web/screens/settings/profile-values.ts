import type { CurrentUser } from '#contracts/accounts.ts'
import type { ProfileEdits } from '#contracts/settings.ts'

export type ProfileValues = {
  displayName: string
  firstName: string
  lastName: string
  location: string
  bio: string
  interests: string[]
  pictureUrl: string
  /** Upload ID of a new picture. */
  pictureId: string
}

/** In page order, to focus the first invalid field. */
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

/** Changed fields only, so that edits from elsewhere aren't overwritten. */
export function editsOf(values: ProfileValues, saved: ProfileValues): ProfileEdits {
  const changed = profileFields.filter((field) => String(values[field]) !== String(saved[field]))
  return {
    ...Object.fromEntries(changed.map((field) => [field, values[field]])),
    ...(values.pictureUrl === saved.pictureUrl ? {} : { imageId: values.pictureId || null }),
  }
}
