import { createFileRoute } from '@tanstack/react-router'
import { PreferencesScreen } from '#web/screens/notifications/preferences-screen.tsx'

export const Route = createFileRoute('/notifications_/preferences')({ component: PreferencesScreen })
