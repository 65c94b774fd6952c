import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import AuthScreen from '../features/accounts/auth-screen.tsx'

export const Route = createFileRoute('/auth')({
  validateSearch: z.object({ returnTo: z.catch(z.optional(z.string()), undefined) }),
  component: AuthPage,
})

function AuthPage() {
  const { returnTo } = Route.useSearch()
  return <AuthScreen {...(returnTo ? { returnTo } : {})} />
}
