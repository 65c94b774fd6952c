import { OpenNow, Precision } from './businesses.ts'
import { Id, line, PhoneOrEmpty, Version } from './fields.ts'
import { businessPlaceName } from './place-name.ts'
import * as z from './zod.ts'

const Minute = z.int().check(z.minimum(0), z.maximum(1440))

/** In minutes since midnight. If `closes` is at or before `opens`, it is on the next day: 18:00 to 02:00. */
export const OpenInterval = z.object({ opens: Minute.check(z.maximum(1439)), closes: Minute })
export type OpenInterval = z.infer<typeof OpenInterval>

/** Seven days, starting on Monday. */
export const WeeklyHours = z.array(z.array(OpenInterval).check(z.maxLength(4, 'At most four sets of hours a day'))).check(z.length(7))
export type WeeklyHours = z.infer<typeof WeeklyHours>

/** A day with exceptional hours. Closed if it has no intervals. */
export const SpecialDay = z.object({
  day: z.iso.date(),
  intervals: z.array(OpenInterval).check(z.maxLength(4)),
  note: z._default(line(80), ''),
})
export type SpecialDay = z.infer<typeof SpecialDay>

export const Location = z.object({
  /** The main location has the ID of its business. */
  id: Id,
  isMain: z.boolean(),
  name: z.string(),
  location: z.nullable(z.string()),
  address: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  pin: z.nullable(z.object({ latitude: z.number(), longitude: z.number(), precision: Precision })),
  /** IANA name. */
  timeZone: z.string(),
  hours: z.nullable(WeeklyHours),
  specialDays: z.array(SpecialDay),
  /** Null if the hours aren't stated. */
  openNow: z.nullable(OpenNow),
  /** Changes with its details. Send it with an edit; an outdated version is rejected (409). */
  version: z.string(),
})
export type Location = z.infer<typeof Location>

/** Set by the team. By default, the pin follows the address. A farm's pin is never more precise than its city. */
const OwnPin = z._default(
  z.nullable(
    z.object({ latitude: z.number().check(z.minimum(-90), z.maximum(90)), longitude: z.number().check(z.minimum(-180), z.maximum(180)) }),
  ),
  null,
)

export const LocationDetails = z.object({
  name: line(120, 'Name is required'),
  location: businessPlaceName(),
  address: z._default(line(200), ''),
  phone: z._default(PhoneOrEmpty, ''),
  timeZone: line(64, 'Time zone is required'),
  hours: z._default(z.nullable(WeeklyHours), null),
  specialDays: z._default(z.array(SpecialDay).check(z.maxLength(60, 'At most 60 special days')), []),
  pin: OwnPin,
})
export type LocationDetails = z.infer<typeof LocationDetails>

export const LocationEdit = z.extend(LocationDetails, {
  /** The location's `version` as the editor read it. If omitted, edits made since are overwritten. */
  version: z.optional(Version),
})
export type LocationEdit = z.infer<typeof LocationEdit>

export const NewMove = z.object({
  /** The first day at the new address, in the business's time zone. */
  movesOn: z.iso.date('Choose a day'),
  location: businessPlaceName(),
  address: z._default(line(200), ''),
  pin: OwnPin,
})
export type NewMove = z.infer<typeof NewMove>
