import { createFileRoute } from '@tanstack/react-router'
import AuthScreen from '../features/accounts/auth-screen.tsx'
import { type SearchParams, textParam } from '../lib/search-params.ts'

type AuthSearch = { returnTo?: string | undefined; error?: string | undefined }

export const Route = createFileRoute('/auth')({
  validateSearch: ({ returnTo, error }: SearchParams): AuthSearch => ({
    returnTo: textParam(returnTo, 2000),
    error: textParam(error, 100),
  }),
  component: AuthPage,
})

function AuthPage() {
  // Rendered once: the React compiler's cache would only add to what everybody loads who signs in.
  'use no memo'
  const { returnTo, error } = Route.useSearch()
  return <AuthScreen returnTo={returnTo} error={error} />
}
