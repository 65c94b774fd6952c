import { createFileRoute } from '@tanstack/react-router'
import { readLater, textParam } from '#web/lib/search-params.ts'
import ConfirmNewEmailScreen from '#web/screens/sign-in/confirm-new-email-screen.tsx'
import UndoEmailScreen from '#web/screens/sign-in/undo-email-screen.tsx'
import VerifyEmailScreen from '#web/screens/sign-in/verify-email-screen.tsx'

/** `kind` is the purpose of the emailed link; by default it confirms a new account's address. */
type VerifySearch = { token?: string | undefined; kind?: 'new-email' | 'undo-email' | undefined }

export const Route = createFileRoute('/auth_/verify')({ validateSearch: readLater<VerifySearch>, component: VerifyEmailPage })

function VerifyEmailPage() {
  const search = Route.useSearch()
  const token = textParam(search.token, 2000) ?? ''
  const Screen = search.kind === 'new-email' ? ConfirmNewEmailScreen : search.kind === 'undo-email' ? UndoEmailScreen : VerifyEmailScreen
  return <Screen key={token} token={token} />
}
