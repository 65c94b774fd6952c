import { createFileRoute } from '@tanstack/react-router'
import ResetPasswordScreen from '../features/accounts/reset-password-screen.tsx'
import { type SearchParams, textParam } from '../lib/search-params.ts'

export const Route = createFileRoute('/auth_/reset')({
  validateSearch: ({ token }: SearchParams): { token?: string | undefined } => ({ token: textParam(token, 2000) }),
  component: ResetPasswordPage,
})

function ResetPasswordPage() {
  const { token = '' } = Route.useSearch()
  return <ResetPasswordScreen key={token} token={token} />
}
