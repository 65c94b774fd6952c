import { createFileRoute } from '@tanstack/react-router'
import ConfirmNewEmailScreen from '../features/accounts/confirm-new-email-screen.tsx'
import UndoEmailScreen from '../features/accounts/undo-email-screen.tsx'
import VerifyEmailScreen from '../features/accounts/verify-email-screen.tsx'
import { readLater, textParam } from '../lib/search-params.ts'

/** `kind` says what the mailed link is about; without one it confirms the address of a new account. */
type VerifySearch = { token?: string | undefined; kind?: 'new-email' | 'undo-email' | undefined }

export const Route = createFileRoute('/auth_/verify')({ validateSearch: readLater<VerifySearch>, component: VerifyEmailPage })

function VerifyEmailPage() {
  const search = Route.useSearch()
  const token = textParam(search.token, 2000) ?? ''
  const Screen = search.kind === 'new-email' ? ConfirmNewEmailScreen : search.kind === 'undo-email' ? UndoEmailScreen : VerifyEmailScreen
  return <Screen key={token} token={token} />
}
