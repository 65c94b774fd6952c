import { helpCenter } from '#contracts/help-texts.ts'
import { brand } from '#web/lib/boot.ts'
import { HelpTextPage } from './help-text-page.tsx'

export const HelpPage = () => <HelpTextPage text={helpCenter(brand)} />
