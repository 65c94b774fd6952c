import type { Hunt } from '../../../contracts/hunts.ts'
import { counted } from '../../lib/counted.ts'
import { cx } from '../../ui/cx.ts'
import { dayWords, localDay, shortDay } from './hunt-words.ts'
import { type StageState, stagesOf } from './stages.ts'

/** How far a hunt is: each stage with the day on which it began, as far as that is known. On a phone the words are those of the last. */
export function StageTimeline({ hunt }: { hunt: Pick<Hunt, 'stages' | 'isActive' | 'completedOn'> }) {
  const stages = stagesOf(hunt, localDay())
  const last = stages.findLast(({ on, state }) => on !== null && state !== 'ahead')
  return (
    <div>
      <ol aria-label="Stages" className="grid grid-cols-5 gap-1.5">
        {stages.map((stage) => (
          <li key={stage.name} className="min-w-0" aria-current={stage.state === 'now' ? 'step' : undefined}>
            <span aria-hidden="true" className={cx('block h-1.5 rounded-full', looks[stage.state])} />
            <span className="sr-only sm:not-sr-only sm:block sm:pt-1.5">
              <span className={cx('block truncate text-xs', stage.state === 'now' ? 'font-semibold text-leaf' : 'text-muted')}>
                {stage.name}
              </span>
              <span className="block truncate text-muted text-xs tabular-nums">
                {stage.on && <time dateTime={stage.on}>{shortDay(stage.on)}</time>}
                {stage.state === 'now' && stage.days !== null && ` · day ${stage.days}`}
              </span>
            </span>
            <span className="sr-only">{inWords(stage)}</span>
          </li>
        ))}
      </ol>
      {last?.on && (
        <p aria-hidden="true" className="mt-1.5 text-muted text-xs sm:hidden">
          <span className={cx('font-semibold', last.state === 'now' && 'text-leaf')}>{last.name}</span> since {shortDay(last.on)}
          {last.state === 'now' && last.days !== null && ` · day ${last.days}`}
        </p>
      )}
    </div>
  )
}

const looks = { done: 'bg-leaf/55', now: 'bg-leaf', ahead: 'bg-line' }

function inWords({ on, state, days }: StageState): string {
  if (state === 'ahead') return on ? `planned for ${dayWords(on)}` : 'not yet'
  if (state === 'now') return `for ${counted(days ?? 0, 'day')} now`
  return days === null ? 'done' : `done, lasted ${counted(days, 'day')}`
}
