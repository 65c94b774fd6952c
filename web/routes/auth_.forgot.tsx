import { createFileRoute } from '@tanstack/react-router'
import { safeReturnTo } from '#contracts/addresses.ts'
import { parseLater, textParam } from '#web/lib/search-params.ts'
import { ForgotPasswordScreen } from '#web/screens/sign-in/password-screens.tsx'

type ForgotSearch = { returnTo?: string | undefined }

export const Route = createFileRoute('/auth_/forgot')({ validateSearch: parseLater<ForgotSearch>, component: ForgotPasswordPage })

function ForgotPasswordPage() {
  const { returnTo } = Route.useSearch()
  return <ForgotPasswordScreen returnTo={safeReturnTo(textParam(returnTo, 2000)) ?? '/'} />
}
