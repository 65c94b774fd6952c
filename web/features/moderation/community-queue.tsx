import { CaseDesk } from './case-desk.tsx'

/** For the moderators of a community: what was reported or held in it, but for what only the site's moderators decide. */
export function CommunityQueue({ communityId }: { communityId: string }) {
  return <CaseDesk scope={communityId} />
}
