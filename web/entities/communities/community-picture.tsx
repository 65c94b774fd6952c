import { useState } from 'react'
import type { Community } from '#contracts/communities.ts'
import { Cover } from '#web/ui/cover/cover.tsx'
import { cx } from '#web/ui/cx.ts'
import { coverTypes } from './community-words.ts'

type CommunityPictureProps = { community: Pick<Community, 'id' | 'category' | 'imageUrl'>; className: string }

/** A community's picture, or one generated from its ID in its category's colors. Decorative: always shown beside the name. */
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
