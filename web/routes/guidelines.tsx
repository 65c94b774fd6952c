import { createFileRoute } from '@tanstack/react-router'
import { communityGuidelines } from '#contracts/guideline-texts.ts'
import { HelpTextPage } from '#web/screens/public-pages/help-text-page.tsx'

export const Route = createFileRoute('/guidelines')({ component: () => <HelpTextPage text={communityGuidelines} /> })
