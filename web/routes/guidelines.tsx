import { createFileRoute } from '@tanstack/react-router'
import { GuidelinesPage } from '../features/public-pages/guidelines-page.tsx'

export const Route = createFileRoute('/guidelines')({ component: GuidelinesPage })
