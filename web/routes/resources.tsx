import { createFileRoute } from '@tanstack/react-router'
import { businessResources } from '#contracts/resource-texts.ts'
import { brand } from '#web/lib/boot.ts'
import { HelpTextPage } from '#web/screens/public-pages/help-text-page.tsx'

export const Route = createFileRoute('/resources')({ component: () => <HelpTextPage text={businessResources(brand)} /> })
