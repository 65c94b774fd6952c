import { createFileRoute } from '@tanstack/react-router'
import type { AccountType } from '../../contracts/accounts.ts'
import SignUpScreen from '../features/accounts/sign-up-screen.tsx'

export const Route = createFileRoute('/signup')({
  // Checked by hand: a schema would bring its library into the first load of every page.
  validateSearch: ({ accountType }: Record<string, unknown>): { accountType?: AccountType } =>
    accountType === 'business' || accountType === 'consumer' ? { accountType } : {},
  component: SignUpPage,
})

function SignUpPage() {
  const { accountType } = Route.useSearch()
  return <SignUpScreen key={accountType} accountType={accountType} />
}
