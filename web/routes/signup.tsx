import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { AccountType } from '../../contracts/accounts.ts'
import SignUpScreen from '../features/accounts/sign-up-screen.tsx'

export const Route = createFileRoute('/signup')({
  validateSearch: z.object({ accountType: z.catch(z.optional(AccountType), undefined) }),
  component: SignUpPage,
})

function SignUpPage() {
  const { accountType } = Route.useSearch()
  return <SignUpScreen key={accountType} accountType={accountType} />
}
