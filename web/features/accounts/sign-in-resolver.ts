import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import type { Resolver } from 'react-hook-form'
import { Credentials } from '../../../contracts/accounts.ts'

export type SignInValues = { email: string; password: string }

/** What can be said about an address and a password before they are sent. Loaded when the form stands. */
export const signInResolver: Resolver<SignInValues> = standardSchemaResolver(Credentials)
