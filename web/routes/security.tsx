import { createFileRoute } from '@tanstack/react-router'
import { secondFactorOptions } from '#web/entities/accounts/sign-in.api.ts'
import { prefetch } from '#web/lib/prefetch.ts'
import { SecurityScreen } from '#web/screens/security/security-screen.tsx'

export const Route = createFileRoute('/security')({
  loader: ({ context }) => prefetch(context, secondFactorOptions),
  component: SecurityScreen,
})
