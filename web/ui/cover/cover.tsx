import type { BusinessType } from '#contracts/business-types.ts'
import { cx } from '#web/ui/cx.ts'
import { coverShapes, coverVariable } from './draw-cover.ts'
import { coverHeight, coverWidth } from './shapes.ts'

type CoverProps = {
  /** The ID of the business, community or person. The same ID and type always give the same picture. */
  id: string
  type: BusinessType
  /** Only for layout. Without a height, the cover has an aspect ratio of 320 × 168. */
  className?: string
}

/** For a business or community without a picture, and for every profile. Decorative: the name is always next to it. */
export function Cover({ id, type, className }: CoverProps) {
  return (
    <svg
      data-cover={type}
      viewBox={`0 0 ${coverWidth} ${coverHeight}`}
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
      className={cx('block w-full', className)}
    >
      {coverShapes(id, type).map(({ d, fill, stroke, width, opacity }, index) => (
        <path
          // biome-ignore lint/suspicious/noArrayIndexKey: the shapes of one ID never change their order
          key={index}
          d={d}
          fill={fill ? coverVariable(fill) : 'none'}
          stroke={stroke && coverVariable(stroke)}
          strokeWidth={width}
          strokeLinecap={fill ? undefined : 'round'}
          opacity={opacity}
        />
      ))}
    </svg>
  )
}
