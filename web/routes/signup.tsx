import { createFileRoute } from '@tanstack/react-router'
import type { AccountType } from '#contracts/accounts.ts'
import { type SearchParams, wordParam } from '#web/lib/search-params.ts'
import SignUpScreen from '#web/screens/sign-in/sign-up-screen.tsx'

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
