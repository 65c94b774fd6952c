import { createFileRoute } from '@tanstack/react-router'
import AuthScreen from '../features/accounts/auth-screen.tsx'

// Checked by hand: a schema would bring its library into the first load of every page.
const text = (value: unknown) => (typeof value === 'string' ? value : undefined)

type AuthSearch = { returnTo?: string | undefined; error?: string | undefined }

export const Route = createFileRoute('/auth')({
  validateSearch: ({ returnTo, error }: Record<string, unknown>): AuthSearch => ({ returnTo: text(returnTo), error: text(error) }),
  component: AuthPage,
})

function AuthPage() {
  const { returnTo, error } = Route.useSearch()
  return <AuthScreen error={error} {...(returnTo ? { returnTo } : {})} />
}
