import { createFileRoute } from '@tanstack/react-router'
import { type SearchParams, textParam } from '#web/lib/search-params.ts'
import { ResetPasswordScreen } from '#web/screens/sign-in/password-screens.tsx'

export const Route = createFileRoute('/auth_/reset')({
  validateSearch: ({ token }: SearchParams): { token?: string | undefined } => ({ token: textParam(token, 2000) }),
  component: ResetPasswordPage,
})

function ResetPasswordPage() {
  const { token = '' } = Route.useSearch()
  return <ResetPasswordScreen key={token} token={token} />
}
