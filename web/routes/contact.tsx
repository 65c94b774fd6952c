import { createFileRoute } from '@tanstack/react-router'
import { ContactPage } from '#web/screens/public-pages/contact-page.tsx'

export const Route = createFileRoute('/contact')({ component: ContactPage })
