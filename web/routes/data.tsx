import { createFileRoute } from '@tanstack/react-router'
import { DataPage } from '#web/screens/public-pages/data-page.tsx'

export const Route = createFileRoute('/data')({ component: DataPage })
