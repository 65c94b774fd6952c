import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import VerifyEmailScreen from '../features/accounts/verify-email-screen.tsx'

export const Route = createFileRoute('/auth_/verify')({
  validateSearch: z.object({ token: z.catch(z._default(z.coerce.string(), ''), '') }),
  component: VerifyEmailPage,
})

function VerifyEmailPage() {
  const { token } = Route.useSearch()
  return <VerifyEmailScreen key={token} token={token} />
}
