import { createFileRoute } from '@tanstack/react-router'
import { LandingScreen } from '#web/screens/landing/landing-screen.tsx'

export const Route = createFileRoute('/landing')({ component: () => <LandingScreen /> })
