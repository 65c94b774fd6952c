import { createFileRoute } from '@tanstack/react-router'
import SecurityScreen from '#web/screens/security/security-screen.tsx'

export const Route = createFileRoute('/security')({ component: SecurityScreen })
