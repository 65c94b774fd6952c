import { Id, line } from './fields.ts'
import { placeName } from './place-name.ts'
import * as z from './zod.ts'

/**
 * Whose first messages reach the person: everyone's, only those of people they follow, or no one's. From people they don't follow, a first
 * message is a request. Accepted conversations continue.
 */
export const TakesMessagesFrom = z.enum(['everybody', 'followed', 'nobody'])
export type TakesMessagesFrom = z.infer<typeof TakesMessagesFrom>

export const DistanceUnit = z.enum(['km', 'mi'])
export type DistanceUnit = z.infer<typeof DistanceUnit>

/**
 * Settings that the web app saves as soon as they change, grouped by the call that saves them. All other code about a setting derives from
 * this table or uses the same keys: see docs/changing.md.
 */
export const settingFields = {
  privacy: {
    isProfilePublic: z.boolean(),
    allowLocationSharing: z.boolean(),
  },
  messages: {
    /** Read receipts and typing indicators. People who turn them off don't see others' either. */
    showsReadMarks: z.boolean(),
    takesMessagesFrom: TakesMessagesFrom,
  },
  /** `null` follows the device. Only changes what people see and type: hunts are stored in °C, cm and g. */
  display: {
    /** ISO 3166-1 country for formatting dates, numbers and amounts. */
    region: z.nullable(z.string().check(z.regex(/^[A-Z]{2}$/, 'Choose a region'))),
    temperature: z.nullable(z.enum(['C', 'F'])),
    length: z.nullable(z.enum(['cm', 'in'])),
    mass: z.nullable(z.enum(['g', 'oz'])),
    distance: z.nullable(DistanceUnit),
  },
} as const

type Fields = typeof settingFields
export type SettingGroup = keyof Fields
export type SettingsOf<Group extends SettingGroup> = {
  -readonly [Name in keyof Fields[Group]]: Fields[Group][Name] extends z.ZodMiniType<infer Value> ? Value : never
}

export const Preferences = z.object(settingFields.display)
export type Preferences = z.infer<typeof Preferences>

/** Omitted choices don't change. */
export const PreferencesChange = z.partial(Preferences)
export type PreferencesChange = z.infer<typeof PreferencesChange>

/** Omitted fields are unchanged; an empty string clears a field. */
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

export const PrivacySettings = z.partial(z.object(settingFields.privacy))
export type PrivacySettings = z.infer<typeof PrivacySettings>
