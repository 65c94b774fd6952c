import type { BusinessType } from '#contracts/business-types.ts'
import type { Product } from '#contracts/menus.ts'
import { MediaPicture } from '#web/entities/media/media-picture.tsx'
import { Cover } from '#web/ui/cover/cover.tsx'
import { cx } from '#web/ui/cx.ts'

type ProductPictureProps = {
  product: Pick<Product, 'id' | 'image'>
  /** Determines the placeholder's colors. */
  type: BusinessType
  className?: string
}

/** A product's photo or a generated placeholder. Square; `className` sets the size. */
export function ProductPicture({ product: { id, image }, type, className }: ProductPictureProps) {
  return (
    <span className={cx('block shrink-0 overflow-clip rounded-input border border-line bg-sunk', className)}>
      {image ? <MediaPicture media={image} sizes="112px" /> : <Cover id={id} type={type} className="size-full" />}
    </span>
  )
}
