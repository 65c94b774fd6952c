import { useState } from 'react'
import type { SearchHit } from '#contracts/search.endpoints.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Cover } from '#web/ui/cover/cover.tsx'
import { cx } from '#web/ui/cx.ts'
import { kinds, markedPieces, type Range } from './search-words.ts'

const sizes = { sm: 'size-8 [&_svg.lucide]:size-4.5', lg: 'size-14 [&_svg.lucide]:size-6' }

type HitPictureProps = { hit: Pick<SearchHit, 'id' | 'kind' | 'title' | 'imageUrl' | 'businessType'>; size: keyof typeof sizes }

/**
 * Round for people, square for everything else. Falls back to a generated cover for businesses and communities, and to an icon for other
 * kinds. Decorative: always shown beside the title.
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

export function MarkedText({ text, ranges }: { text: string; ranges: readonly Range[] }) {
  return markedPieces(text, ranges).map(({ text: piece, isMatch, start }) =>
    isMatch ? (
      <mark key={start} className="rounded-[0.1875rem] bg-leaf-soft text-leaf box-decoration-clone">
        {piece}
      </mark>
    ) : (
      piece
    ),
  )
}
