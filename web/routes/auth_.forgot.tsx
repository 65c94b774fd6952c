import { createFileRoute } from '@tanstack/react-router'
import ForgotPasswordScreen from '#web/screens/sign-in/forgot-password-screen.tsx'

export const Route = createFileRoute('/auth_/forgot')({ component: ForgotPasswordScreen })
