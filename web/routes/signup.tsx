import { createFileRoute } from '@tanstack/react-router'
import type { AccountType } from '../../contracts/accounts.ts'
import SignUpScreen from '../features/accounts/sign-up-screen.tsx'
import { type SearchParams, wordParam } from '../lib/search-params.ts'

export const Route = createFileRoute('/signup')({
  validateSearch: ({ accountType }: SearchParams): { accountType?: AccountType | undefined } => ({
    accountType: wordParam(accountType, ['consumer', 'business']),
  }),
  component: SignUpPage,
})

function SignUpPage() {
  const { accountType } = Route.useSearch()
  return <SignUpScreen key={accountType} accountType={accountType} />
}
