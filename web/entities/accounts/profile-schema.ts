import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import type { Resolver } from 'react-hook-form'
import * as z from 'zod/mini'
import type { CurrentUser } from '#contracts/accounts.ts'
import { PersonalProfile } from '#contracts/personal-profile.ts'
import { AdultBirthday } from './old-enough.ts'

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
const NewPerson = z.extend(PersonalProfile, { birthday: AdultBirthday })

/** Accounts created through OpenID have no birthday yet, so it is asked for once. */
export const profileResolver = (needsBirthday: boolean): Resolver<ProfileValues, unknown, PersonalProfile> =>
  standardSchemaResolver(needsBirthday ? NewPerson : KnownPerson) as Resolver<object, unknown, PersonalProfile> as never
