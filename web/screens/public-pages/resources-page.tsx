import { businessResources } from '#contracts/resource-texts.ts'
import { brand } from '#web/lib/boot.ts'
import { HelpTextPage } from './help-text-page.tsx'

export const ResourcesPage = () => <HelpTextPage text={businessResources(brand)} />
