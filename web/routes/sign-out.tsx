import { createFileRoute } from '@tanstack/react-router'
import { SignOutScreen } from '../features/offline/sign-out-screen.tsx'

export const Route = createFileRoute('/sign-out')({ component: SignOutScreen })
