import { createFileRoute } from '@tanstack/react-router'
import { TermsPage } from '#web/screens/public-pages/terms-page.tsx'

export const Route = createFileRoute('/terms')({ component: TermsPage })
