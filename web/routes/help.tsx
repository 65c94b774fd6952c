import { createFileRoute } from '@tanstack/react-router'
import { HelpPage } from '#web/screens/public-pages/help-page.tsx'

export const Route = createFileRoute('/help')({ component: HelpPage })
