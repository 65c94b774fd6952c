import { createFileRoute } from '@tanstack/react-router'
import { AccessibilityPage } from '../features/public-pages/accessibility-page.tsx'

export const Route = createFileRoute('/accessibility')({ component: AccessibilityPage })
