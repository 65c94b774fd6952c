import { curve, type Point } from '../../ui/cover/shapes.ts'
import { cx } from '../../ui/cx.ts'

const width = 1600
const height = 640
const sun = { x: 1060, y: 250, radius: 74 }

const ridges: readonly (readonly Point[])[] = [
  [[0, 330], [240, 262], [520, 318], [820, 250], [1120, 330], [1380, 268], [1600, 322]],
  [[0, 392], [300, 420], [640, 346], [980, 410], [1280, 352], [1600, 408]],
  [[0, 500], [360, 430], [760, 486], [1180, 432], [1600, 492]],
  [[0, 560], [420, 596], [900, 530], [1300, 588], [1600, 548]],
] // biome-ignore format: one ridge a line

const colors = ['var(--cover-far)', 'var(--cover-mid)', 'var(--cover-near)', 'var(--cover-deep)']
const hills = ridges.map((ridge) => `${curve(ridge)}V${height}H0z`)

/** Rows of a field on the third hill: they meet below the sun. */
const rows = Array.from({ length: 15 }, (_, i) => {
  const across = i - 7
  return `M${sun.x + across * 13} ${446 + Math.abs(across) * 1.5}Q${sun.x + across * 40} 500 ${sun.x + across * 120} ${height}`
}).join('')

/** Sun over terraced hills: the ground of the screens before the door. Decoration; it fills its parent, cropped at the top. */
export function MorningHills({ className }: { className?: string | undefined }) {
  return (
    <svg
      data-cover="farm"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="xMidYMax slice"
      aria-hidden="true"
      className={cx('block size-full', className)}
    >
      <circle cx={sun.x} cy={sun.y} r={sun.radius * 2.9} fill="var(--cover-sun)" opacity={0.12} />
      <circle cx={sun.x} cy={sun.y} r={sun.radius * 1.8} fill="var(--cover-sun)" opacity={0.2} />
      <circle cx={sun.x} cy={sun.y} r={sun.radius} fill="var(--cover-sun)" />
      {hills.slice(0, 3).map((d, layer) => (
        <path key={d} d={d} fill={colors[layer]} />
      ))}
      <path d={rows} fill="none" stroke="var(--cover-mid)" strokeWidth={3} opacity={0.6} />
      <path d={hills[3]} fill={colors[3]} />
    </svg>
  )
}
