import { createFileRoute } from '@tanstack/react-router'
import OnboardingScreen from '#web/screens/onboarding/onboarding-screen.tsx'

export const Route = createFileRoute('/onboarding')({ component: OnboardingScreen })
