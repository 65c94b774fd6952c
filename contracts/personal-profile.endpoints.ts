import { CurrentUser } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { PersonalProfile } from './personal-profile.ts'

export const savePersonalProfile = endpoint({
  method: 'POST',
  path: '/api/user/profile',
  summary: 'Save your personal profile; completes onboarding',
  tag: 'Accounts',
  access: 'account',
  words: 'published',
  // Profiles are public.
  whileSuspended: false,
  body: PersonalProfile,
  response: CurrentUser,
})
