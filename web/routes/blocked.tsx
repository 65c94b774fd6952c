import { createFileRoute } from '@tanstack/react-router'
import { BlockedScreen } from '#web/screens/people/blocked-screen.tsx'

export const Route = createFileRoute('/blocked')({ component: BlockedScreen })
