import { CaseDesk } from './case-desk.tsx'

/** For moderators of the site: what was reported or held, and what is done about it. */
export function ModerationQueue() {
  return <CaseDesk scope="site" />
}
