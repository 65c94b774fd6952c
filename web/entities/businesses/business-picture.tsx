import { useState } from 'react'
import type { BusinessSummary } from '#contracts/businesses.ts'
import { Cover } from '#web/ui/cover/cover.tsx'
import { cx } from '#web/ui/cx.ts'

type BusinessPictureProps = {
  business: Pick<BusinessSummary, 'id' | 'type' | 'imageUrl'>
  eager?: boolean
  /** Sets the height. The default aspect ratio is 320 × 168. */
  className?: string
}

/** Square, because people's pictures are round. `className` sets the size. */
export function BusinessThumb({ business, className = 'size-10' }: Pick<BusinessPictureProps, 'business' | 'className'>) {
  return (
    <span className={cx('block shrink-0 overflow-clip rounded-input border border-line', className)}>
      <BusinessPicture business={business} className="size-full! aspect-square! object-cover" />
    </span>
  )
}

/** Decorative, because the name is always next to it. Without a photo, generates a cover from the ID. */
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
