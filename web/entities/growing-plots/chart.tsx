import { type KeyboardEvent, type PointerEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import type { ChartOption } from './chart-option.ts'
import { type Look, readFonts, readPlotPalette, watchColors } from './palette.ts'
import type { Picture } from './plot-frame.tsx'

/** A readout shows the point when the pointer, a finger or the arrow keys reach it. */
export type PlotPoint = {
  id: string
  /** In pixels from the plot's upper left corner. */
  at: readonly [x: number, y: number]
  title: string
  facts: readonly (readonly [name: string, value: string])[]
  trail?: readonly (readonly [x: number, y: number] | null)[]
}

export type Locate = (x: number, y: number, gridIndex?: number) => readonly [number, number]

type ChartProps = {
  name: string
  draw: Draw
  heightOf: (width: number) => number
  pointsOf: (locate: Locate, look: Look) => readonly PlotPoint[]
  /** Maximum distance from the pointer to a point, in pixels. */
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

/** The table of `PlotFrame` has the same data. */
export function Chart({ name, draw, heightOf, pointsOf, reach = 28, onChoose }: ChartProps) {
  const { setElement, chart, look, hasFailed, retry } = useChart(draw, heightOf)
  const [read, setRead] = useState<{ points: readonly PlotPoint[]; at: number } | null>(null)
  const point = read?.points[read.at]

  // Locating thousands of points is slow, so this runs on demand and is cached per drawing.
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
        <p className="max-w-md text-muted">The plot couldn’t be loaded. The table has the same numbers.</p>
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
      aria-valuetext={point ? words(point) : 'Use the arrow keys to read the points'}
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

export function nearest(points: readonly Pick<PlotPoint, 'at'>[], x: number, y: number, reach: number): number | null {
  let best: number | null = null
  let smallest = reach
  for (const [index, { at }] of points.entries()) {
    const distance = Math.hypot(at[0] - x, at[1] - y)
    if (distance > smallest || (distance === smallest && best !== null)) continue
    best = index
    smallest = distance
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

function pathsOf(trail: NonNullable<PlotPoint['trail']>): string[] {
  const pieces: string[][] = [[]]
  for (const at of trail) {
    if (at === null) pieces.push([])
    else pieces.at(-1)?.push(`${at[0]},${at[1]}`)
  }
  return pieces.filter((piece) => piece.length > 1).map((piece) => piece.join(' '))
}

/** Must be pure: the same look and rows produce the same plot. */
type Draw = (look: Look) => ChartOption

type Library = typeof import('./chart-library.ts')
type LoadedChart = ReturnType<Library['init']>

const loadLibrary = (): Promise<Library> => import('./chart-library.ts')

function useChart(draw: Draw, heightOf: (width: number) => number) {
  const [element, setElement] = useState<HTMLElement | null>(null)
  const [chart, setChart] = useState<LoadedChart | null>(null)
  const [hasFailed, setFailed] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const look = useLook(element, heightOf)
  const isSeen = look !== null

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt starts over
  useEffect(() => {
    if (!element || !isSeen) return
    let made: LoadedChart | null = null
    let isGone = false
    loadLibrary().then(
      ({ init }) => {
        if (isGone) return
        made = init(element, null, { renderer: 'canvas' })
        setChart(made)
      },
      () => setFailed(true),
    )
    return () => {
      isGone = true
      made?.dispose()
      setChart(null)
    }
  }, [element, isSeen, attempt])

  useLayoutEffect(() => {
    if (!chart || !look || chart.isDisposed()) return
    chart.resize({ width: look.width, height: look.height })
    chart.setOption(draw(look), { notMerge: true })
  }, [chart, look, draw])

  const retry = () => {
    setFailed(false)
    setAttempt(attempt + 1)
  }
  return { setElement, chart, look, hasFailed, retry }
}

function useLook(element: HTMLElement | null, heightOf: (width: number) => number): Look | null {
  const [seen, setSeen] = useState<Omit<Look, 'height'> | null>(null)
  useLayoutEffect(() => {
    if (!element) return
    const read = () => {
      const width = Math.floor(element.clientWidth)
      if (width > 0) setSeen({ palette: readPlotPalette(element), ...readFonts(element), width })
    }
    read()
    // Resizes are frequent, so read colors only when they may have changed.
    const resizes = new ResizeObserver(() => {
      const width = Math.floor(element.clientWidth)
      if (width > 0) setSeen((before) => (before === null || before.width === width ? before : { ...before, width }))
    })
    resizes.observe(element)
    const unwatch = watchColors(read)
    void document.fonts.ready.then(read)
    return () => {
      resizes.disconnect()
      unwatch()
    }
  }, [element])
  const height = seen ? heightOf(seen.width) : 0
  return useMemo(() => (seen ? { ...seen, height } : null), [seen, height])
}

export function chartPicture(draw: Draw, width: number, height: number): Picture {
  return {
    width,
    height,
    async paint(context, look, scale) {
      const { init } = await loadLibrary()
      const chart = init(document.createElement('div'), null, { renderer: 'canvas', width, height, devicePixelRatio: scale })
      try {
        chart.setOption(draw(look), { notMerge: true })
        context.drawImage(chart.renderToCanvas({ pixelRatio: scale }), 0, 0, width, height)
      } finally {
        chart.dispose()
      }
    },
  }
}
