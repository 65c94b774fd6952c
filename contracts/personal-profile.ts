import { Birthday } from './accounts.ts'
import { line } from './fields.ts'
import { placeName } from './place-name.ts'
import * as z from './zod.ts'

export const PersonalProfile = z.object({
  firstName: line(80, 'First name is required'),
  lastName: line(80, 'Last name is required'),
  location: placeName('Location is required'),
  bio: z._default(line(1000), ''),
  interests: z._default(z.array(line(40)).check(z.maxLength(30, 'At most 30 interests')), []),
  isProfilePublic: z._default(z.boolean(), false),
  allowLocationSharing: z._default(z.boolean(), true),
  /** Required once for accounts created without one (OpenID); ignored if the account has a birthday. */
  birthday: z.optional(Birthday),
})
export type PersonalProfile = z.infer<typeof PersonalProfile>
