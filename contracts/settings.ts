import { Id, line } from './fields.ts'
import { placeName } from './place-name.ts'
import { settingFields } from './setting-fields.ts'
import * as z from './zod.ts'

/** Omitted fields stay; an empty string clears a field. */
export const ProfileEdits = z.object({
  /** Shown to others instead of the first and last name. */
  displayName: z.optional(line(80)),
  firstName: z.optional(line(80, 'First name is required')),
  lastName: z.optional(line(80, 'Last name is required')),
  location: z.optional(placeName()),
  bio: z.optional(line(1000)),
  interests: z.optional(z.array(line(40)).check(z.maxLength(30, 'At most 30 interests'))),
  /** A processed upload; null removes the picture. */
  imageId: z.optional(z.nullable(Id)),
})
export type ProfileEdits = z.infer<typeof ProfileEdits>

/** Omitted settings stay. */
export const PrivacySettings = z.partial(z.object(settingFields.privacy))
export type PrivacySettings = z.infer<typeof PrivacySettings>
