import { CurrentUser } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { PersonalProfile } from './people.ts'
import { PrivacySettings, ProfileEdits } from './settings.ts'

export const editProfile = endpoint({
  method: 'PATCH',
  path: '/api/user/settings/profile',
  summary: 'Change your profile',
  tag: 'Accounts',
  access: 'member',
  words: 'published',
  body: ProfileEdits,
  response: CurrentUser,
})

export const savePrivacy = endpoint({
  method: 'PATCH',
  path: '/api/user/settings/privacy',
  summary: 'Change what others see about you',
  tag: 'Accounts',
  access: 'member',
  body: PrivacySettings,
  response: CurrentUser,
})

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
