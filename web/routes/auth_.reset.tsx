import { createFileRoute } from '@tanstack/react-router'
import ResetPasswordScreen from '../features/accounts/reset-password-screen.tsx'

export const Route = createFileRoute('/auth_/reset')({
  // Checked by hand: a schema would bring its library into the first load of every page. The router reads a token of digits as a number.
  validateSearch: ({ token }: Record<string, unknown>): { token?: string | number } =>
    typeof token === 'string' || typeof token === 'number' ? { token } : {},
  component: ResetPasswordPage,
})

function ResetPasswordPage() {
  const { token = '' } = Route.useSearch()
  return <ResetPasswordScreen key={token} token={String(token)} />
}
