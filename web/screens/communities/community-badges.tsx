import { Lock, MailOpen } from 'lucide-react'
import type { Community } from '#contracts/communities.ts'
import { categoryNames, visibilityNames } from '#web/entities/communities/community-words.ts'
import { Badge } from '#web/ui/badge.tsx'

type CommunityBadgesProps = { community: Pick<Community, 'category' | 'visibility' | 'isVerified' | 'isDemo' | 'isHidden'> }

/** Verification, category and visibility. Public is the default and has no badge. */
export function CommunityBadges({ community: { category, visibility, isVerified, isDemo, isHidden } }: CommunityBadgesProps) {
  return (
    <>
      {isVerified && <Badge variant="verified">Verified</Badge>}
      {isHidden && <Badge variant="clay">Hidden from others</Badge>}
      <Badge variant="outline">{categoryNames[category]}</Badge>
      {visibility !== 'public' && (
        <Badge>
          {visibility === 'private' ? <Lock aria-hidden="true" /> : <MailOpen aria-hidden="true" />}
          {visibilityNames[visibility]}
        </Badge>
      )}
      {isDemo && <Badge variant="outline">Demo</Badge>}
    </>
  )
}
