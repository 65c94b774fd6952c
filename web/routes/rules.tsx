import { createFileRoute } from '@tanstack/react-router'
import { RulesPage } from '../features/compliance/rules-page.tsx'

export const Route = createFileRoute('/rules')({ component: RulesPage })
