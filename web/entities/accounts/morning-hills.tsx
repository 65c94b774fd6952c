import { curve, type Point } from '#web/ui/cover/shapes.ts'
import { cx } from '#web/ui/cx.ts'

const width = 1600
const height = 640
const sun = { x: 1318, y: 236, radius: 74 }

const ridges: readonly (readonly Point[])[] = [
  [[0, 316], [250, 258], [560, 322], [880, 262], [1150, 318], [1400, 272], [1600, 306]],
  [[0, 402], [330, 346], [690, 412], [1010, 352], [1330, 402], [1600, 356]],
  [[0, 470], [420, 500], [860, 440], [1260, 432], [1600, 470]],
  [[0, 590], [360, 548], [760, 596], [1180, 556], [1600, 600]],
] // biome-ignore format: one ridge a line

const colors = ['var(--cover-far)', 'var(--cover-mid)', 'var(--cover-near)', 'var(--cover-deep)']
const hills = ridges.map((ridge) => `${curve(ridge)}V${height}H0z`)

const rows = Array.from({ length: 17 }, (_, i) => {
  const across = i - 8
  return `M${sun.x + across * 14} ${442 + Math.abs(across) * 1.5}Q${sun.x + across * 40} 500 ${sun.x + across * 116} ${height}`
}).join('')

/** Decorative. Fills its parent, and is cropped at the top and left to fit. */
export function MorningHills({ className }: { className?: string | undefined }) {
  return (
    <svg
      data-cover="farm"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="xMaxYMax slice"
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
