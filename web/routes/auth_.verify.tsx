import { createFileRoute } from '@tanstack/react-router'
import VerifyEmailScreen from '../features/accounts/verify-email-screen.tsx'

export const Route = createFileRoute('/auth_/verify')({
  // Checked by hand: a schema would bring its library into the first load of every page. The router reads a token of digits as a number.
  validateSearch: ({ token }: Record<string, unknown>): { token?: string | number } =>
    typeof token === 'string' || typeof token === 'number' ? { token } : {},
  component: VerifyEmailPage,
})

function VerifyEmailPage() {
  const { token = '' } = Route.useSearch()
  return <VerifyEmailScreen key={token} token={String(token)} />
}
