import { createFileRoute } from '@tanstack/react-router'
import { type SearchParams, textParam } from '#web/lib/search-params.ts'
import AuthScreen from '#web/screens/sign-in/auth-screen.tsx'

type AuthSearch = { returnTo?: string | undefined; error?: string | undefined }

export const Route = createFileRoute('/auth')({
  validateSearch: ({ returnTo, error }: SearchParams): AuthSearch => ({
    returnTo: textParam(returnTo, 2000),
    error: textParam(error, 100),
  }),
  component: AuthPage,
})

function AuthPage() {
  // Rendered once: React Compiler's memo code would only add to the size of the sign-in screen.
  const { returnTo, error } = Route.useSearch()
  return <AuthScreen returnTo={returnTo} error={error} />
}
