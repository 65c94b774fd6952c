import { useState } from 'react'
import type { Community } from '../../../contracts/communities.ts'
import { Cover } from '../../ui/cover/cover.tsx'
import { cx } from '../../ui/cx.ts'
import { coverTypes } from './community-words.ts'

type CommunityPictureProps = { community: Pick<Community, 'id' | 'category' | 'imageUrl'>; className: string }

/** Its picture, or one drawn from its id in the tones of its category. Decoration: the name always stands beside it. */
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
