import { createFileRoute } from '@tanstack/react-router'
import {
  accountStatusOptions,
  heldContentOptions,
  ownDecisionsOptions,
  ownReportsOptions,
} from '#web/entities/account-status/account-status.api.ts'
import { prefetch } from '#web/lib/prefetch.ts'
import AccountStatusScreen from '#web/screens/account-status/account-status-screen.tsx'

export const Route = createFileRoute('/standing')({
  loader: ({ context }) => prefetch(context, accountStatusOptions, heldContentOptions, ownDecisionsOptions, ownReportsOptions),
  component: AccountStatusScreen,
})
