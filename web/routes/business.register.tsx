import { createFileRoute } from '@tanstack/react-router'
import RegisterScreen from '../features/registration/register-screen.tsx'

export const Route = createFileRoute('/business/register')({ component: RegisterScreen })
