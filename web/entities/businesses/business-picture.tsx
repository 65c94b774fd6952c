import { useState } from 'react'
import type { BusinessSummary } from '#contracts/businesses.ts'
import { Cover } from '#web/ui/cover/cover.tsx'
import { cx } from '#web/ui/cx.ts'

type BusinessPictureProps = {
  business: Pick<BusinessSummary, 'id' | 'type' | 'imageUrl'>
  /** Above the fold: load without delay. */
  eager?: boolean
  /** Sets the height; 320 × 168 by default. */
  className?: string
}

/** Small square version for lists and bylines (people are round). `className` sets the size. */
export function BusinessThumb({ business, className = 'size-10' }: Pick<BusinessPictureProps, 'business' | 'className'>) {
  return (
    <span className={cx('block shrink-0 overflow-clip rounded-input border border-line', className)}>
      <BusinessPicture business={business} className="size-full! aspect-square! object-cover" />
    </span>
  )
}

/** A business's photo, or a cover generated from its ID. Decorative: always shown beside the name. */
export function BusinessPicture({ business: { id, type, imageUrl }, eager = false, className }: BusinessPictureProps) {
  const [failedUrl, setFailedUrl] = useState<string | null>(null)
  if (!imageUrl || imageUrl === failedUrl) return <Cover id={id} type={type} {...(className ? { className } : {})} />
  return (
    <img
      src={imageUrl}
      alt=""
      width={640}
      height={336}
      loading={eager ? 'eager' : 'lazy'}
      decoding="async"
      onError={() => setFailedUrl(imageUrl)}
      className={cx('block aspect-[320/168] w-full bg-sunk object-cover', className)}
    />
  )
}
