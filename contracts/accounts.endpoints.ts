import { AccountType, Credentials, CurrentUser, Email, NewPassword, Registration, ResetRequest, ReturnTo } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { Id, withoutNul } from './fields.ts'
import { PersonalProfile } from './people.ts'
import { PreferencesChange, PrivacySettings, ProfileEdits } from './settings.ts'
import * as z from './zod.ts'

export const getCurrentUser = endpoint({
  method: 'GET',
  path: '/api/auth/user',
  summary: 'Read the signed-in person. Returns 401 when signed out.',
  tag: 'Accounts',
  access: 'account',
  beforeSecondFactor: true,
  whileLeaving: true,
  response: CurrentUser,
})

export const register = endpoint({
  method: 'POST',
  path: '/api/register',
  summary: 'Create an account',
  tag: 'Accounts',
  access: 'public',
  words: 'published',
  rateLimit: 'register',
  body: Registration,
  response: z.object({
    accountType: AccountType,
    /** `true`: the address must be confirmed with the emailed link before the first sign-in, so no session was started. */
    confirmEmail: z.boolean(),
  }),
  status: 201,
})

export const login = endpoint({
  method: 'POST',
  path: '/api/login',
  summary: 'Sign in with email and password',
  tag: 'Accounts',
  access: 'public',
  words: 'account',
  rateLimit: 'sign-in',
  body: Credentials,
  response: z.object({ accountType: AccountType, hasCompletedOnboarding: z.boolean() }),
})

export const requestPasswordReset = endpoint({
  method: 'POST',
  path: '/api/auth/password-reset-requests',
  summary: 'Email a link to set a new password. The response is the same whether or not the address is known.',
  tag: 'Accounts',
  access: 'public',
  words: 'account',
  rateLimit: 'mail',
  body: z.extend(ResetRequest, { returnTo: ReturnTo }),
})

export const resetPassword = endpoint({
  method: 'POST',
  path: '/api/auth/password-resets',
  summary: 'Set a new password with the token from the emailed link, end every session and remove the chosen passkeys',
  tag: 'Accounts',
  access: 'public',
  words: 'account',
  rateLimit: 'sign-in',
  body: z.object({
    token: z.string().check(z.minLength(1), z.maxLength(200), withoutNul),
    password: NewPassword,
    /** IDs from `listPasskeysOfReset`. */
    removePasskeys: z._default(z.array(Id).check(z.maxLength(20)), []),
  }),
})

export const requestEmailVerification = endpoint({
  method: 'POST',
  path: '/api/auth/email-verification-requests',
  summary: 'Email the confirmation link again. The response is the same whether or not the address is known.',
  tag: 'Accounts',
  access: 'public',
  words: 'account',
  rateLimit: 'mail',
  body: z.object({ email: Email, returnTo: ReturnTo }),
})

export const verifyEmail = endpoint({
  method: 'POST',
  path: '/api/auth/email-verifications',
  summary: 'Confirm an email address with the token from the emailed link',
  tag: 'Accounts',
  access: 'public',
  words: 'account',
  rateLimit: 'sign-in',
  body: z.object({ token: z.string().check(z.minLength(1), z.maxLength(2000), withoutNul) }),
})

export const confirmAge = endpoint({
  method: 'PUT',
  path: '/api/user/age-confirmation',
  summary: 'Record that the signed-in person confirmed their age at the age gate. Idempotent.',
  tag: 'Accounts',
  access: 'account',
  response: CurrentUser,
})

export const savePreferences = endpoint({
  method: 'PATCH',
  path: '/api/user/preferences',
  summary: 'Save your units and regional format',
  tag: 'Accounts',
  access: 'account',
  whileSuspended: true,
  body: PreferencesChange,
  response: CurrentUser,
})

export const updateProfile = endpoint({
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
  summary: 'Change what others can see about you',
  tag: 'Accounts',
  access: 'member',
  body: PrivacySettings,
  response: CurrentUser,
})

export const savePersonalProfile = endpoint({
  method: 'POST',
  path: '/api/user/profile',
  summary: 'Save your personal profile and complete onboarding',
  tag: 'Accounts',
  access: 'account',
  words: 'published',
  // Suspended people can't edit their profiles, because profiles are public.
  whileSuspended: false,
  body: PersonalProfile,
  response: CurrentUser,
})
