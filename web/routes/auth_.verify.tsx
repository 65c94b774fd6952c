import { createFileRoute } from '@tanstack/react-router'
import { unpackPath } from '#contracts/addresses.ts'
import { parseLater, textParam } from '#web/lib/search-params.ts'
import { ConfirmNewEmailScreen, UndoEmailScreen, VerifyEmailScreen } from '#web/screens/sign-in/opened-link-screens.tsx'

/**
 * `kind` is the purpose of the emailed link. By default, the link confirms a new account's address. `next` is the path that the person was
 * headed for, encoded by `packPath`.
 */
type VerifySearch = { token?: string | undefined; next?: string | undefined; kind?: 'new-email' | 'undo-email' | undefined }

export const Route = createFileRoute('/auth_/verify')({ validateSearch: parseLater<VerifySearch>, component: VerifyEmailPage })

function VerifyEmailPage() {
  const search = Route.useSearch()
  const token = textParam(search.token, 2000) ?? ''
  const Screen = search.kind === 'new-email' ? ConfirmNewEmailScreen : search.kind === 'undo-email' ? UndoEmailScreen : VerifyEmailScreen
  return <Screen key={token} token={token} returnTo={unpackPath(textParam(search.next, 4000)) ?? '/'} />
}
