import { minPasswordLength } from './accounts.rules.ts'
import { isCalendarDate } from './age.ts'
import { BusinessTypeSchema, Id, line, withoutNul } from './fields.ts'
import { Preferences, settingFields } from './settings.ts'
import * as z from './zod.ts'

export const AccountType = z.enum(['consumer', 'business'])
export type AccountType = z.infer<typeof AccountType>

export const Role = z.enum(['member', 'moderator', 'admin'])
export type Role = z.infer<typeof Role>

export const Email = z.string('Email is required').check(
  z.trim(),
  z.toLowerCase(),
  z.minLength(1, 'Email is required'),
  z.maxLength(254, 'At most 254 characters'),
  // The HTML standard's pattern for email inputs, so the browser and the server agree.
  z.regex(
    /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/,
    'Enter an email address such as ann@example.com',
  ),
)

/** The server also checks strength and common passwords. The maximum length limits the cost of hashing. */
export const NewPassword = z
  .string('Password is required')
  .check(
    z.minLength(1, { error: 'Password is required', abort: true }),
    z.minLength(minPasswordLength, 'At least 8 characters'),
    z.maxLength(128, 'At most 128 characters'),
    withoutNul,
  )

/** Re-authenticates the session. May be empty if that happened recently (see `isProven` in `getSignIn`). */
export const PasswordAgain = z._default(z.string().check(z.maxLength(128, 'At most 128 characters'), withoutNul), '')

export const Birthday = z
  .string('Birthday is required')
  .check(z.minLength(1, 'Birthday is required'), z.refine(isCalendarDate, 'Enter a date as YYYY-MM-DD'))

export const CurrentUser = z.object({
  id: Id,
  email: z.string(),
  isEmailVerified: z.boolean(),
  displayName: z.nullable(z.string()),
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
  profileImageUrl: z.nullable(z.string()),
  userType: AccountType,
  role: Role,
  /** The role in effect for this session: `member` unless the second factor was confirmed in the last 12 hours. */
  activeRole: Role,
  /** `owed`: the account has a second factor that this session must confirm before anything else. */
  secondFactor: z.enum(['off', 'owed', 'shown']),
  businessType: z.nullable(BusinessTypeSchema),
  runsBusiness: z.boolean(),
  /** As entered at sign-up. Prefills the form for the first business. */
  licenseNumber: z.nullable(z.string()),
  birthday: z.nullable(z.string()),
  interests: z.array(z.string()),
  followingCount: z.int(),
  followersCount: z.int(),
  /** Personal posts only. */
  postsCount: z.int(),
  subscriptionTier: z.nullable(z.string()),
  /** Null unless the plan was canceled. */
  subscriptionEndsAt: z.nullable(z.iso.datetime()),
  location: z.nullable(z.string()),
  /** Whether the location is a known place, which nearby results require. */
  isLocationKnown: z.boolean(),
  bio: z.nullable(z.string()),
  ...settingFields.privacy,
  isProfileHidden: z.boolean(),
  preferences: Preferences,
  /** The person entered a birthday or passed the age gate, so the gate isn't shown again. */
  hasConfirmedAge: z.boolean(),
  hasCompletedOnboarding: z.boolean(),
  createdAt: z.iso.datetime(),
  /** May be in the past. */
  mutedUntil: z.nullable(z.iso.datetime()),
  /** Until this time, the person can only use their own account. May be in the past. `forever`: banned. */
  suspendedUntil: z.nullable(z.string()),
  /** When the account will be deleted. Until then, the person can only restore it or export its data. */
  leavesAt: z.nullable(z.iso.datetime()),
})
export type CurrentUser = z.infer<typeof CurrentUser>

/** The page to open after the address is confirmed or the password is set; ignored unless it is on this site (`safeReturnTo`). */
export const ReturnTo = z.optional(z.string().check(z.maxLength(2000), withoutNul))

export const Registration = z.object({
  email: Email,
  password: NewPassword,
  firstName: line(80, 'First name is required'),
  lastName: line(80, 'Last name is required'),
  birthday: Birthday,
  accountType: z._default(AccountType, 'consumer'),
  businessType: z.optional(z.nullable(BusinessTypeSchema)),
  licenseNumber: z.optional(z.nullable(line(80))),
  returnTo: ReturnTo,
})
export type Registration = z.infer<typeof Registration>

export const Credentials = z.object({
  email: Email,
  password: z
    .string('Password is required')
    .check(z.minLength(1, 'Password is required'), z.maxLength(128, 'At most 128 characters'), withoutNul),
})

export const ResetRequest = z.object({ email: Email })
