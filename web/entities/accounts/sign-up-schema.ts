import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import type { Resolver, ResolverResult } from 'react-hook-form'
import { type AccountType, Registration } from '#contracts/accounts.ts'
import type { BusinessType } from '#contracts/business-types.ts'
import { BusinessTypeSchema } from '#contracts/fields.ts'
import * as z from '#contracts/zod.ts'
import { brand } from '#web/lib/boot.ts'
import { easyToGuess, isHardToGuess, ownWords } from './password-strength.ts'
import { AdultBirthday } from './profile-schema.ts'

/** Unselected choices are empty strings. */
export type SignUpValues = {
  firstName: string
  lastName: string
  email: string
  password: string
  birthday: string
  accountType: AccountType
  businessType: BusinessType | ''
  licenseNumber: string
}

export const emptySignUp: SignUpValues = {
  firstName: '',
  lastName: '',
  email: '',
  password: '',
  birthday: '',
  accountType: 'consumer',
  businessType: '',
  licenseNumber: '',
}

/** In page order, to focus the first invalid field. */
export const signUpFields = Object.keys(emptySignUp) as (keyof SignUpValues)[]

/** Shared by /auth, /signup and the wizard. */
export const signUpDraft = 'sign-up'

const AdultRegistration = z.extend(Registration, { birthday: AdultBirthday })
const BusinessRegistration = z.extend(AdultRegistration, { businessType: BusinessTypeSchema })

/** Checks the contract's rules, a business's type and password strength, as the server does. */
export const signUpResolver: Resolver<SignUpValues, unknown, Registration> = async (values, context, options) => {
  const isBusiness = values.accountType === 'business'
  const check = standardSchemaResolver(isBusiness ? BusinessRegistration : AdultRegistration) as Resolver<object, unknown, Registration>
  const given = {
    ...values,
    businessType: isBusiness ? values.businessType : null,
    licenseNumber: (isBusiness && values.licenseNumber.trim()) || null,
  }
  const result = (await check(given, context, options as never)) as ResolverResult<SignUpValues, Registration>
  const words = ownWords(values, brand.name)
  if (result.errors.password || (await isHardToGuess(values.password, words))) return result
  return { values: {}, errors: { ...result.errors, password: { type: 'weak', message: easyToGuess } } }
}
