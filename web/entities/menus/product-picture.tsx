import type { Media } from '#contracts/media.ts'
import { MediaPicture } from '#web/entities/media/media-picture.tsx'
import { coverVariable } from '#web/ui/cover/draw-cover.ts'
import { cx } from '#web/ui/cx.ts'
import { type DrawnProduct, drawProduct } from './product-drawing.ts'

type ProductPictureProps = {
  product: DrawnProduct & { image: Media | null }
  className?: string
  /** How wide the photo is shown, as in the `sizes` of an image. */
  sizes?: string
}

/** A product's photo, or a drawing of its form. Square; `className` sets the size. Decorative: its name is always next to it. */
export function ProductPicture({ product, className, sizes = '112px' }: ProductPictureProps) {
  return (
    <span className={cx('block shrink-0 overflow-clip rounded-input border border-line bg-sunk', className)}>
      {product.image ? <MediaPicture media={product.image} sizes={sizes} /> : <Drawing product={product} />}
    </span>
  )
}

function Drawing({ product }: { product: DrawnProduct }) {
  const { tone, paths } = drawProduct(product)
  return (
    <svg data-cover={tone} data-product="" viewBox="0 0 96 96" aria-hidden="true" className="block size-full">
      {paths.map(({ d, fill, stroke, width, opacity, turn }, index) => (
        <path
          // biome-ignore lint/suspicious/noArrayIndexKey: the paths of one ID never change their order
          key={index}
          d={d}
          fill={fill ? coverVariable(fill) : 'none'}
          stroke={stroke && coverVariable(stroke)}
          strokeWidth={width}
          strokeLinecap={stroke && 'round'}
          opacity={opacity}
          transform={turn ? `rotate(${turn} 48 48)` : undefined}
        />
      ))}
    </svg>
  )
}
