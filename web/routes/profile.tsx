import { createFileRoute } from '@tanstack/react-router'
import { ProfileScreen } from '../features/people/profile-screen.tsx'

export const Route = createFileRoute('/profile')({ component: ProfileScreen })
