import { Check } from 'lucide-react'
import { cx } from './cx.ts'

type StepperProps = {
  steps: readonly string[]
  /** Counts from 1. */
  current: number
  className?: string | undefined
}

export function Stepper({ steps, current, className }: StepperProps) {
  return (
    <div className={cx('grid gap-3', className)}>
      <p className="font-medium text-muted text-sm" aria-live="polite">
        Step {current} of {steps.length}
        <span className="sm:sr-only">
          <span aria-hidden="true"> · </span>
          {steps[current - 1]}
        </span>
      </p>
      <ol className="flex gap-2 sm:gap-3">
        {steps.map((step, index) => {
          const state = index + 1 < current ? 'done' : index + 1 === current ? 'current' : 'ahead'
          return (
            <li key={step} aria-current={state === 'current' ? 'step' : undefined} className="flex min-w-0 flex-1 flex-col gap-1 sm:gap-2">
              <span aria-hidden="true" className={cx('h-1 rounded-full transition-colors', state === 'ahead' ? 'bg-line' : 'bg-leaf')} />
              <Check aria-hidden="true" strokeWidth={3} className={cx('size-3.5 text-leaf sm:hidden', state !== 'done' && 'invisible')} />
              <span className="flex items-center gap-2 max-sm:sr-only">
                <span
                  aria-hidden="true"
                  className={cx(
                    'grid size-5.5 shrink-0 place-items-center rounded-full font-semibold text-xs tabular-nums',
                    state === 'done' && 'bg-leaf text-on-leaf',
                    state === 'current' && 'bg-leaf-soft text-leaf ring-1 ring-leaf',
                    state === 'ahead' && 'text-muted ring-1 ring-line',
                  )}
                >
                  {state === 'done' ? <Check strokeWidth={3} className="size-3.5" /> : index + 1}
                </span>
                <span className={cx('truncate text-sm', state === 'current' ? 'font-medium' : 'text-muted')}>
                  {step}
                  {state === 'done' && <span className="sr-only">, completed</span>}
                </span>
              </span>
            </li>
          )
        })}
      </ol>
    </div>
  )
}
