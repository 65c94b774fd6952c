import { Lock, MailOpen } from 'lucide-react'
import type { Community } from '../../../contracts/communities.ts'
import { Badge } from '../../ui/badge.tsx'
import { categoryNames, visibilityNames } from './community-words.ts'

type CommunityBadgesProps = { community: Pick<Community, 'category' | 'visibility' | 'isVerified' | 'isDemo' | 'isHidden'> }

/** What it is in a few words: verified, of which category, who gets in. Public is the usual and is not said. */
export function CommunityBadges({ community: { category, visibility, isVerified, isDemo, isHidden } }: CommunityBadgesProps) {
  return (
    <>
      {isVerified && <Badge variant="verified">Verified</Badge>}
      {isHidden && <Badge variant="clay">Not shown to others</Badge>}
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
