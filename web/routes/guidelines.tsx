import { createFileRoute } from '@tanstack/react-router'
import { GuidelinesPage } from '#web/screens/public-pages/guidelines-page.tsx'

export const Route = createFileRoute('/guidelines')({ component: GuidelinesPage })
