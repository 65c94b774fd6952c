import { Lock, MailOpen } from 'lucide-react'
import { useState } from 'react'
import type { Community } from '#contracts/communities.ts'
import { categoryNames, coverTypes, visibilityNames } from '#web/entities/communities/community-words.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Cover } from '#web/ui/cover/cover.tsx'
import { cx } from '#web/ui/cx.ts'

type CommunityBadgesProps = { community: Pick<Community, 'category' | 'visibility' | 'isVerified' | 'isDemo' | 'isHidden'> }

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

type CommunityPictureProps = { community: Pick<Community, 'id' | 'category' | 'imageUrl'>; className: string }

/** Decorative, because the name is always next to it. Without a picture, generates one from the ID in the category's colors. */
export function CommunityPicture({ community: { id, category, imageUrl }, className }: CommunityPictureProps) {
  const [failedUrl, setFailedUrl] = useState<string | null>(null)
  if (!imageUrl || imageUrl === failedUrl) return <Cover id={id} type={coverTypes[category]} className={className} />
  return (
    <img
      src={imageUrl}
      alt=""
      loading="lazy"
      decoding="async"
      onError={() => setFailedUrl(imageUrl)}
      className={cx('block w-full bg-sunk object-cover', className)}
    />
  )
}
