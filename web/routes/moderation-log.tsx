import { createFileRoute } from '@tanstack/react-router'
import { ModerationLogScreen } from '../features/moderation/moderation-log-screen.tsx'

export const Route = createFileRoute('/moderation-log')({ component: ModerationLogScreen })
