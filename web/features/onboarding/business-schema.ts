import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import type { Resolver } from 'react-hook-form'
import * as z from 'zod/mini'
import { type BusinessType, businessTypeLabels, businessTypes } from '../../../contracts/business-types.ts'
import { NewBusiness } from '../../../contracts/businesses.ts'
import { AdultBirthday } from '../accounts/old-enough.ts'

export type BusinessValues = {
  businessType: BusinessType | ''
  businessName: string
  location: string
  licenseNumber: string
  description: string
  address: string
  phone: string
  website: string
  imageUrl: string
  birthday: string
}

export const emptyBusiness: BusinessValues = {
  businessType: 'farm',
  businessName: '',
  location: '',
  licenseNumber: '',
  description: '',
  address: '',
  phone: '',
  website: '',
  imageUrl: '',
  birthday: '',
}

/** In the order of the page. */
export const businessFields = Object.keys(emptyBusiness) as (keyof BusinessValues)[]

/** The specification's two choices first, in its words; the further types of the registration after them. */
export const businessTypeChoices = businessTypes.map((type) => ({
  type,
  label: type === 'farm' ? 'Cannabis Farm' : businessTypeLabels[type],
}))

const KnownOwner = z.omit(NewBusiness, { birthday: true })
const NewOwner = z.extend(NewBusiness, { birthday: AdultBirthday })

/** An account that came through OpenID has no birthday yet; it is asked for once. */
export function businessResolver(needsBirthday: boolean): Resolver<BusinessValues, unknown, NewBusiness> {
  const check = standardSchemaResolver(needsBirthday ? NewOwner : KnownOwner) as Resolver<object, unknown, NewBusiness>
  return async (values, context, options) =>
    (await check({ ...values, licenseNumber: values.licenseNumber.trim() || null }, context, options as never)) as never
}
