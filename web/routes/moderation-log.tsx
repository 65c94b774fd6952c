import { createFileRoute } from '@tanstack/react-router'
import { ModerationLogScreen } from '#web/screens/moderation/moderation-log-screen.tsx'

export const Route = createFileRoute('/moderation-log')({ component: ModerationLogScreen })
