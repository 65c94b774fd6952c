import { createFileRoute } from '@tanstack/react-router'
import { PrivacyPage } from '#web/screens/public-pages/privacy-page.tsx'

export const Route = createFileRoute('/privacy')({ component: PrivacyPage })
