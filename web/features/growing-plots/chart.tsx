import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { Look } from './palette.ts'
import { type Draw, type LoadedChart, useChart } from './use-chart.ts'

/** A place in the plot that stands for something: what the readout says when the pointer, a finger or the arrow keys come near. */
export type PlotPoint = {
  /** Handed to `onChoose`. */
  id: string
  /** From the plot's upper left corner. */
  at: readonly [x: number, y: number]
  title: string
  facts: readonly (readonly [name: string, value: string])[]
  /** What belongs to the same plant, drawn over the plot while the point is read. */
  trail?: readonly (readonly [x: number, y: number] | null)[]
}

/** Where a value of a grid stands in the plot. */
export type Locate = (x: number, y: number, gridIndex?: number) => readonly [number, number]

type ChartProps = {
  /** What the plot is, for those who do not see it: "Growth of 4 plants over 12 weeks". */
  name: string
  draw: Draw
  heightOf: (width: number) => number
  pointsOf: (locate: Locate, look: Look) => readonly PlotPoint[]
  /** How far from a point the pointer still means it. */
  reach?: number
  onChoose?: ((id: string) => void) | undefined
}

const moves: Record<string, (at: number, last: number) => number> = {
  ArrowLeft: (at) => at - 1,
  ArrowUp: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  ArrowDown: (at) => at + 1,
  PageUp: (at, last) => at - Math.ceil(last / 20),
  PageDown: (at, last) => at + Math.ceil(last / 20),
  Home: () => 0,
  End: (_, last) => last,
}

/** A drawn plot and its readout. The same numbers are in the table beside it. */
export function Chart({ name, draw, heightOf, pointsOf, reach = 28, onChoose }: ChartProps) {
  const { setElement, chart, look, hasFailed, retry } = useChart(draw, heightOf)
  const [read, setRead] = useState<{ points: readonly PlotPoint[]; at: number } | null>(null)
  const point = read?.points[read.at]

  // Where thousands of points stand is asked once a drawing, and only when somebody reads it.
  const located = useRef<{ of: readonly unknown[]; points: readonly PlotPoint[] } | null>(null)
  const points = () => {
    const of = [chart, look, pointsOf]
    if (!chart || !look || chart.isDisposed()) return []
    if (!located.current || located.current.of.some((each, nth) => each !== of[nth])) {
      located.current = { of, points: pointsOf(locateIn(chart), look) }
    }
    return located.current.points
  }
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const { left, top } = event.currentTarget.getBoundingClientRect()
    const all = points()
    const at = nearest(all, event.clientX - left, event.clientY - top, reach)
    setRead(at === null ? null : { points: all, at })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return setRead(null)
    if (event.key === 'Enter' && point && onChoose) return onChoose(point.id)
    const move = moves[event.key]
    const all = points()
    if (!move || all.length === 0) return
    event.preventDefault()
    const from = read === null ? -1 : read.at
    setRead({ points: all, at: Math.max(0, Math.min(all.length - 1, move(from, all.length - 1))) })
  }

  if (hasFailed) {
    return (
      <div className="grid justify-items-center gap-3 py-12 text-center">
        <p className="max-w-md text-muted">The plot could not be loaded. The table has the same numbers.</p>
        <Button variant="secondary" size="sm" onClick={retry}>
          Retry
        </Button>
      </div>
    )
  }
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={name}
      aria-roledescription="plot"
      aria-valuemin={0}
      aria-valuemax={Math.max(0, (read?.points.length ?? 1) - 1)}
      aria-valuenow={read?.at ?? 0}
      aria-valuetext={point ? words(point) : 'Arrow keys read the points'}
      onKeyDown={onKeyDown}
      onBlur={() => setRead(null)}
      onPointerMove={onPointerMove}
      onPointerDown={onPointerMove}
      onPointerLeave={(event) => event.pointerType === 'mouse' && setRead(null)}
      onClick={() => point && onChoose?.(point.id)}
      className={cx('relative w-full touch-pan-y select-none rounded-tag', point && onChoose && 'cursor-pointer')}
    >
      <div ref={setElement} aria-hidden="true" style={{ height: look?.height ?? 320 }} />
      {!chart && <Skeleton className="absolute inset-0" />}
      {point && look && <Readout point={point} look={look} canChoose={onChoose !== undefined} />}
    </div>
  )
}

const words = ({ title, facts }: PlotPoint) => [title, ...facts.map(([name, value]) => `${name} ${value}`)].join(', ')

function locateIn(chart: LoadedChart): Locate {
  return (x, y, gridIndex = 0) => {
    const [left = Number.NaN, top = Number.NaN] = chart.convertToPixel({ gridIndex }, [x, y]) as number[]
    return [left, top]
  }
}

/** The index of the point that is nearest and within reach. */
export function nearest(points: readonly Pick<PlotPoint, 'at'>[], x: number, y: number, reach: number): number | null {
  let best: number | null = null
  let least = reach
  for (const [index, { at }] of points.entries()) {
    const distance = Math.hypot(at[0] - x, at[1] - y)
    if (distance > least || (distance === least && best !== null)) continue
    best = index
    least = distance
  }
  return best
}

const readoutWidth = 224

function Readout({ point: { at, title, facts, trail }, look, canChoose }: { point: PlotPoint; look: Look; canChoose: boolean }) {
  const [x, y] = at
  const left = Math.max(0, Math.min(look.width - readoutWidth, x > look.width / 2 ? x - readoutWidth - 14 : x + 14))
  const isLow = y > look.height / 2
  return (
    <div aria-hidden="true" className="pointer-events-none absolute inset-0 z-1">
      <svg aria-hidden="true" className="absolute inset-0 overflow-visible" width={look.width} height={look.height}>
        {trail && pathsOf(trail).map((path) => <polyline key={path} points={path} fill="none" stroke="var(--ink)" strokeWidth={2.5} />)}
        <circle cx={x} cy={y} r={7} fill="none" stroke="var(--surface)" strokeWidth={5} />
        <circle cx={x} cy={y} r={7} fill="none" stroke="var(--ink)" strokeWidth={2} />
      </svg>
      <div
        className="absolute grid gap-1 rounded-input border border-line bg-raised px-3 py-2 text-sm shadow-lift"
        style={{ left, width: readoutWidth, ...(isLow ? { bottom: look.height - y + 12 } : { top: y + 12 }) }}
      >
        <p className="font-semibold">{title}</p>
        <dl className="grid gap-0.5">
          {facts.map(([name, value]) => (
            <div key={name} className="flex items-baseline justify-between gap-3">
              <dt className="font-normal text-muted">{name}</dt>
              <dd className="text-right tabular-nums">{value}</dd>
            </div>
          ))}
        </dl>
        {canChoose && <p className="text-muted text-xs">Press to open</p>}
      </div>
    </div>
  )
}

/** The pieces of a line that has gaps. */
function pathsOf(trail: NonNullable<PlotPoint['trail']>): string[] {
  const pieces: string[][] = [[]]
  for (const at of trail) {
    if (at === null) pieces.push([])
    else pieces.at(-1)?.push(`${at[0]},${at[1]}`)
  }
  return pieces.filter((piece) => piece.length > 1).map((piece) => piece.join(' '))
}
