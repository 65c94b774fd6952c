// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import type { BusinessType } from '../../../contracts/business-types.ts'
import { cx } from '../cx.ts'
import { coverShapes, coverVariable } from './draw-cover.ts'
import { coverHeight, coverWidth } from './shapes.ts'

type CoverProps = {
  /** The id of what is pictured; the same id always gives the same picture. */
  id: string
  type: BusinessType
  /** Layout only. Without a height of its own the cover keeps the proportions 320 × 168. */
  className?: string
}

/** The drawn picture of a business without a photo. Decoration: its name always stands beside it. */
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
          // biome-ignore lint/suspicious/noArrayIndexKey: the shapes of one id never change their order
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
