import type { Trait } from '../../../contracts/traits.ts'
import { worthOf } from './tracker-rows.ts'

const width = 220
const height = 64
const pad = 6

type Curve = Pick<Trait, 'direction' | 'low' | 'high' | 'target' | 'unit'>

/** What a value is worth between nothing and all, as a small line. Shows nothing while the bounds do not fit together. */
export function DesirabilityCurve({ curve }: { curve: Curve }) {
  const { low, high, target, unit, direction } = curve
  const worth = worthOf(curve)
  if (!worth || low === null || high === null || low >= high) return null
  const beyond = (high - low) * 0.15
  const stops = [low - beyond, low, ...(direction === 'target' && target !== null ? [target] : []), high, high + beyond]
  const x = (value: number) => pad + ((value - low + beyond) / (high - low + 2 * beyond)) * (width - 2 * pad)
  const y = (value: number) => pad + (1 - (worth(value) ?? 0)) * (height - 2 * pad)
  const of = unit === '' ? '' : ` ${unit}`
  const best = direction === 'max' ? `${high}${of} and more` : direction === 'min' ? `${low}${of} and less` : `${target}${of}`
  const worst =
    direction === 'max' ? `${low}${of} and less` : direction === 'min' ? `${high}${of} and more` : `${low}${of} or ${high}${of} and beyond`
  return (
    <figure className="grid gap-1.5">
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`Worth: nothing at ${worst}, all at ${best}`} className="h-16 w-55">
        <line x1={pad} x2={width - pad} y1={height - pad} y2={height - pad} className="stroke-line" />
        <polyline
          points={stops.map((value) => `${x(value)},${y(value)}`).join(' ')}
          className="fill-none stroke-leaf"
          strokeWidth="2.5"
          strokeLinejoin="round"
        />
      </svg>
      <figcaption className="text-muted text-sm">
        Worth all at {best}, nothing at {worst}.
      </figcaption>
    </figure>
  )
}
