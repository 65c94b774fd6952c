import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import type { InsightStep } from '#contracts/insights.endpoints.ts'
import { formatNumber } from '#web/lib/format.ts'
import { cx } from '#web/ui/cx.ts'
import { type Figure, figureText, labelled, shortStep, stepText, ticksFor } from './figure-words.ts'

type SeriesPlotProps = { name: string; by: InsightStep; steps: readonly string[]; values: readonly Figure[] }

const moves: Record<string, (at: number, last: number) => number> = {
  ArrowLeft: (at) => at - 1,
  ArrowDown: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  ArrowUp: (at) => at + 1,
  PageDown: (at) => at - 7,
  PageUp: (at) => at + 7,
  Home: () => 0,
  End: (_, last) => last,
}

/**
 * One figure over time as columns. The readout above follows the pointer or the arrow keys; the same data is in a table beside it.
 */
export function SeriesPlot({ name, by, steps, values }: SeriesPlotProps) {
  const last = steps.length - 1
  const [chosen, setChosen] = useState<number | null>(null)
  const at = Math.min(chosen ?? last, last)
  const ticks = ticksFor(Math.max(0, ...values.map((value) => value ?? 0)))
  const highest = ticks.at(-1) as number
  const goOn = (step: number) => step === last
  const words = (step: number) =>
    `${stepText(steps[step] as string, by)}${goOn(step) ? ' (so far)' : ''}: ${figureText(values[step] ?? null)}`

  const onKeyDown = (event: KeyboardEvent) => {
    const move = moves[event.key]
    if (!move) return
    event.preventDefault()
    setChosen(Math.max(0, Math.min(last, move(at, last))))
  }
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    setChosen(Math.max(0, Math.min(last, Math.floor(((event.clientX - left) / width) * steps.length))))
  }
  return (
    <div>
      <p aria-hidden="true" className="flex min-h-6 items-baseline gap-2 text-sm">
        <span className="font-semibold tabular-nums">{figureText(values[at] ?? null)}</span>
        <span className="text-muted">
          {stepText(steps[at] as string, by)}
          {goOn(at) && ', so far'}
        </span>
      </p>
      <div className="mt-3 grid grid-cols-[minmax(0,1fr)_auto] gap-x-2">
        <div
          role="slider"
          tabIndex={0}
          aria-label={`${name} by ${by}`}
          aria-orientation="horizontal"
          aria-valuemin={0}
          aria-valuemax={last}
          aria-valuenow={at}
          aria-valuetext={words(at)}
          onKeyDown={onKeyDown}
          onPointerMove={onPointerMove}
          onPointerDown={onPointerMove}
          onPointerLeave={() => setChosen(null)}
          className="relative h-48 touch-pan-y rounded-tag focus-visible:outline-offset-4 sm:h-72"
        >
          {ticks.map((tick) => (
            <span
              key={tick}
              className={cx('absolute inset-x-0 border-t', tick === 0 ? 'border-edge' : 'border-line border-dashed')}
              style={{ bottom: `${(tick / highest) * 100}%` }}
            />
          ))}
          <div className="absolute inset-0 flex items-end">
            {steps.map((step, i) => (
              <Column key={step} value={values[i] ?? null} highest={highest} isChosen={i === at && chosen !== null} isOpen={goOn(i)} />
            ))}
          </div>
        </div>
        <div aria-hidden="true" className="relative min-w-7 text-right text-muted text-xs tabular-nums">
          {/* Sets the column's width. */}
          <span className="invisible">{formatNumber(highest)}</span>
          {ticks.map((tick) => (
            <span key={tick} className="absolute right-0 translate-y-1/2" style={{ bottom: `${(tick / highest) * 100}%` }}>
              {formatNumber(tick)}
            </span>
          ))}
        </div>
        <Labels steps={steps} by={by} />
      </div>
    </div>
  )
}

/** A count too small to show is a thin dashed line at the bottom. */
function Column({ value, highest, isChosen, isOpen }: { value: Figure; highest: number; isChosen: boolean; isOpen: boolean }) {
  return (
    <span className={cx('flex h-full min-w-0 flex-1 items-end justify-center', isChosen && 'bg-leaf-soft/70')}>
      <span
        className={cx(
          'block w-4/5 max-w-12 rounded-t-[3px] transition-colors',
          value === null
            ? 'h-1.5 border border-edge border-b-0 border-dashed'
            : isChosen
              ? 'bg-leaf-strong'
              : isOpen
                ? 'bg-leaf/45'
                : 'bg-leaf/85',
          value === 0 && 'bg-transparent',
        )}
        style={value === null ? undefined : { height: `${(value / highest) * 100}%` }}
      />
    </span>
  )
}

function Labels({ steps, by }: { steps: readonly string[]; by: InsightStep }) {
  const few = new Set(labelled(steps.length, 4))
  const many = new Set(labelled(steps.length, 8))
  return (
    <div aria-hidden="true" className="relative mt-1.5 h-5 text-muted text-xs">
      {steps.map(
        (step, i) =>
          (few.has(i) || many.has(i)) && (
            <span
              key={step}
              className={cx(
                'absolute whitespace-nowrap',
                i === steps.length - 1 && steps.length > 1 ? 'right-0' : '-translate-x-1/2',
                few.has(i) && many.has(i) ? '' : few.has(i) ? 'sm:hidden' : 'max-sm:hidden',
              )}
              style={i === steps.length - 1 && steps.length > 1 ? undefined : { left: `${((i + 0.5) / steps.length) * 100}%` }}
            >
              {shortStep(step, by)}
            </span>
          ),
      )}
    </div>
  )
}
