import { createFileRoute } from '@tanstack/react-router'
import { DevelopersPage } from '#web/screens/public-pages/developers-page.tsx'

export const Route = createFileRoute('/developers')({ component: DevelopersPage })
