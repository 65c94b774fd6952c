import { createFileRoute } from '@tanstack/react-router'
import { HelpPage } from '../features/public-pages/help-page.tsx'

export const Route = createFileRoute('/help')({ component: HelpPage })
