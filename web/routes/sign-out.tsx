import { createFileRoute } from '@tanstack/react-router'
import { SignOutScreen } from '#web/screens/sign-in/sign-out-screen.tsx'

export const Route = createFileRoute('/sign-out')({ component: SignOutScreen })
