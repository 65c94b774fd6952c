import { createFileRoute } from '@tanstack/react-router'
import { type SearchParams, textParam, wordParam } from '#web/lib/search-params.ts'
import AuthScreen from '#web/screens/sign-in/auth-screen.tsx'

const tabs = ['sign-in', 'sign-up'] as const

type AuthSearch = { returnTo?: string | undefined; error?: string | undefined; tab?: (typeof tabs)[number] | undefined }

export const Route = createFileRoute('/auth')({
  validateSearch: ({ returnTo, error, tab }: SearchParams): AuthSearch => ({
    returnTo: textParam(returnTo, 2000),
    error: textParam(error, 100),
    tab: wordParam(tab, tabs),
  }),
  component: AuthPage,
})

function AuthPage() {
  const { returnTo, error, tab } = Route.useSearch()
  return <AuthScreen returnTo={returnTo} error={error} tab={tab} />
}
