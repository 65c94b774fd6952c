import { CaseDesk } from './case-desk.tsx'

export function ModerationQueue() {
  return <CaseDesk scope="site" />
}

/** Cases of a community, except those reserved for site moderators. */
export function CommunityQueue({ communityId }: { communityId: string }) {
  return <CaseDesk scope={communityId} />
}
