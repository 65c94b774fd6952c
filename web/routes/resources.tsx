import { createFileRoute } from '@tanstack/react-router'
import { ResourcesPage } from '#web/screens/public-pages/resources-page.tsx'

export const Route = createFileRoute('/resources')({ component: ResourcesPage })
