import { useState } from 'react'
import type { SearchHit } from '../../../contracts/search.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Cover } from '../../ui/cover/cover.tsx'
import { cx } from '../../ui/cx.ts'
import { kinds } from './kinds.ts'

const sizes = { sm: 'size-8 [&_svg.lucide]:size-4.5', lg: 'size-14 [&_svg.lucide]:size-6' }

type HitPictureProps = { hit: Pick<SearchHit, 'id' | 'kind' | 'title' | 'imageUrl' | 'businessType'>; size: keyof typeof sizes }

/**
 * A person's is round, all others are square. Without a picture of its own a business or a community has a drawn cover, and anything else
 * the sign of its kind. Decoration: the title stands beside it.
 */
export function HitPicture({ hit: { id, kind, title, imageUrl, businessType }, size }: HitPictureProps) {
  const [failedUrl, setFailedUrl] = useState<string | null>(null)
  if (kind === 'person') return <Avatar id={id} name={title} imageUrl={imageUrl} size={size === 'sm' ? 'sm' : 'lg'} />
  const frame = cx('shrink-0 overflow-clip border border-line', size === 'sm' ? 'rounded-[0.5rem]' : 'rounded-input', sizes[size])
  if (imageUrl && imageUrl !== failedUrl) {
    return (
      <img
        src={imageUrl}
        alt=""
        width={56}
        height={56}
        loading="lazy"
        decoding="async"
        onError={() => setFailedUrl(imageUrl)}
        className={cx(frame, 'bg-sunk object-cover')}
      />
    )
  }
  if (kind === 'business' || kind === 'community') {
    return (
      <span className={cx(frame, 'block')}>
        <Cover id={id} type={businessType ?? 'other'} className="size-full" />
      </span>
    )
  }
  const { Icon } = kinds[kind]
  return (
    <span className={cx(frame, 'grid place-items-center bg-leaf-soft text-leaf')}>
      <Icon aria-hidden="true" />
    </span>
  )
}
