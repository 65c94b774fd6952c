import type { BusinessType } from '../../../contracts/business-types.ts'
import type { Product } from '../../../contracts/menus.ts'
import { Cover } from '../../ui/cover/cover.tsx'
import { cx } from '../../ui/cx.ts'
import { MediaPicture } from '../media/media-picture.tsx'

type ProductPictureProps = {
  product: Pick<Product, 'id' | 'image'>
  /** Gives the drawing its tones. */
  type: BusinessType
  className?: string
}

/** A product's photo, or a drawing of its own. Square; `className` gives the size. */
export function ProductPicture({ product: { id, image }, type, className }: ProductPictureProps) {
  return (
    <span className={cx('block shrink-0 overflow-clip rounded-input border border-line bg-sunk', className)}>
      {image ? <MediaPicture media={image} sizes="112px" /> : <Cover id={id} type={type} className="size-full" />}
    </span>
  )
}
