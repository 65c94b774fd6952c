import { createFileRoute } from '@tanstack/react-router'
import { unpackPath } from '#contracts/addresses.ts'
import { type SearchParams, textParam } from '#web/lib/search-params.ts'
import { ResetPasswordScreen } from '#web/screens/sign-in/password-screens.tsx'

/** `next` is the path that the person was headed for, encoded by `packPath`. */
type ResetSearch = { token?: string | undefined; next?: string | undefined }

export const Route = createFileRoute('/auth_/reset')({
  validateSearch: ({ token, next }: SearchParams): ResetSearch => ({ token: textParam(token, 2000), next: textParam(next, 4000) }),
  component: ResetPasswordPage,
})

function ResetPasswordPage() {
  const { token = '', next } = Route.useSearch()
  return <ResetPasswordScreen key={token} token={token} returnTo={unpackPath(next) ?? '/'} />
}
