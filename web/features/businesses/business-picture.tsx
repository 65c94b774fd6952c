// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import { useState } from 'react'
import type { BusinessSummary } from '../../../contracts/businesses.ts'
import { Cover } from '../../ui/cover/cover.tsx'
import { cx } from '../../ui/cx.ts'

type BusinessPictureProps = {
  business: Pick<BusinessSummary, 'id' | 'type' | 'imageUrl'>
  /** The picture stands on the first screen: fetch it at once. */
  eager?: boolean
  /** Gives the height; without one the picture keeps 320 × 168. */
  className?: string
}

/** The same, small and square, for a list or a byline. A business is square where a person is round. `className` gives the size. */
export function BusinessThumb({ business, className = 'size-10' }: Pick<BusinessPictureProps, 'business' | 'className'>) {
  return (
    <span className={cx('block shrink-0 overflow-clip rounded-input border border-line', className)}>
      <BusinessPicture business={business} className="size-full! aspect-square! object-cover" />
    </span>
  )
}

/** A business's photo, or the cover drawn from its id. Decoration: the name always stands beside it. */
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
