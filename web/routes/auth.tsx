import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import AuthScreen from '../features/accounts/auth-screen.tsx'

const text = z.catch(z.optional(z.string()), undefined)

export const Route = createFileRoute('/auth')({
  validateSearch: z.object({ returnTo: text, error: text }),
  component: AuthPage,
})

function AuthPage() {
  const { returnTo, error } = Route.useSearch()
  return <AuthScreen error={error} {...(returnTo ? { returnTo } : {})} />
}
