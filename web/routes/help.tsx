import { createFileRoute } from '@tanstack/react-router'
import { helpCenter } from '#contracts/help-texts.ts'
import { brand } from '#web/lib/boot.ts'
import { HelpTextPage } from '#web/screens/public-pages/help-text-page.tsx'

export const Route = createFileRoute('/help')({ component: () => <HelpTextPage text={helpCenter(brand)} /> })
