import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import type { Resolver } from 'react-hook-form'
import { Birthday, type CurrentUser } from '#contracts/accounts.ts'
import { ageOn, isCalendarDate, minimumAge, utcDate } from '#contracts/age.ts'
import { PersonalProfile } from '#contracts/people.ts'
import * as z from '#contracts/zod.ts'

export type ProfileValues = {
  firstName: string
  lastName: string
  location: string
  bio: string
  interests: string[]
  isProfilePublic: boolean
  allowLocationSharing: boolean
  birthday: string
}

export const profileFields = [
  'firstName',
  'lastName',
  'birthday',
  'location',
  'bio',
  'interests',
] as const satisfies (keyof ProfileValues)[]

export const profileOf = (user: CurrentUser): ProfileValues => ({
  firstName: user.firstName ?? '',
  lastName: user.lastName ?? '',
  location: user.location ?? '',
  bio: user.bio ?? '',
  interests: user.interests,
  isProfilePublic: user.isProfilePublic,
  allowLocationSharing: user.allowLocationSharing,
  birthday: '',
})

const KnownPerson = z.omit(PersonalProfile, { birthday: true })

export const tooYoung = `You must be ${minimumAge} years or older to access this platform.`

/** In years. Higher ages are typos. The server has the same limit. */
const maxAge = 130

export const AdultBirthday = Birthday.check(
  z.refine((birthday) => !isTooYoung(birthday), tooYoung),
  z.refine(isPlausibleBirthday, 'Check the year of this date'),
)

/** `today` is in UTC, as on the server. */
export const isTooYoung = (birthday: string, today = utcDate(new Date())): boolean =>
  isCalendarDate(birthday) && birthday <= today && ageOn(birthday, today) < minimumAge

const NewPerson = z.extend(PersonalProfile, { birthday: AdultBirthday })

export const profileResolver = (needsBirthday: boolean): Resolver<ProfileValues, unknown, PersonalProfile> =>
  standardSchemaResolver(needsBirthday ? NewPerson : KnownPerson) as Resolver<object, unknown, PersonalProfile> as never

function isPlausibleBirthday(birthday: string): boolean {
  const today = utcDate(new Date())
  return !isCalendarDate(birthday) || (birthday <= today && ageOn(birthday, today) <= maxAge)
}
