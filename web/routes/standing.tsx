import { createFileRoute } from '@tanstack/react-router'
import AccountStatusScreen from '#web/screens/account-status/account-status-screen.tsx'

export const Route = createFileRoute('/standing')({ component: AccountStatusScreen })
