import { createFileRoute } from '@tanstack/react-router'
import { ProfileScreen } from '#web/screens/people/profile-screen.tsx'

export const Route = createFileRoute('/profile')({ component: ProfileScreen })
