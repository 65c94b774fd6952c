import { createFileRoute } from '@tanstack/react-router'
import { ForgotPasswordScreen } from '#web/screens/sign-in/password-screens.tsx'

export const Route = createFileRoute('/auth_/forgot')({ component: ForgotPasswordScreen })
