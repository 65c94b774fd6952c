import { communityGuidelines } from '#contracts/guideline-texts.ts'
import { HelpTextPage } from './help-text-page.tsx'

export const GuidelinesPage = () => <HelpTextPage text={communityGuidelines} />
