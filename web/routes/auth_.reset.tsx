import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import ResetPasswordScreen from '../features/accounts/reset-password-screen.tsx'

export const Route = createFileRoute('/auth_/reset')({
  validateSearch: z.object({ token: z.catch(z._default(z.coerce.string(), ''), '') }),
  component: ResetPasswordPage,
})

function ResetPasswordPage() {
  const { token } = Route.useSearch()
  return <ResetPasswordScreen key={token} token={token} />
}
