import { createFileRoute } from '@tanstack/react-router'
import VerifyEmailScreen from '../features/accounts/verify-email-screen.tsx'
import { type SearchParams, textParam } from '../lib/search-params.ts'

export const Route = createFileRoute('/auth_/verify')({
  validateSearch: ({ token }: SearchParams): { token?: string | undefined } => ({ token: textParam(token, 2000) }),
  component: VerifyEmailPage,
})

function VerifyEmailPage() {
  const { token = '' } = Route.useSearch()
  return <VerifyEmailScreen key={token} token={token} />
}
