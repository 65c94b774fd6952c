import { createFileRoute } from '@tanstack/react-router'
import { AccessibilityPage } from '#web/screens/public-pages/accessibility-page.tsx'

export const Route = createFileRoute('/accessibility')({ component: AccessibilityPage })
