import { createFileRoute } from '@tanstack/react-router'
import { RulesPage } from '#web/screens/public-pages/rules-page.tsx'

export const Route = createFileRoute('/rules')({ component: RulesPage })
