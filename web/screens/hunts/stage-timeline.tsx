import type { Hunt } from '#contracts/hunts.ts'
import { formatDay, shortDay } from '#web/entities/hunts/hunt-words.ts'
import { counted } from '#web/lib/format.ts'
import { daysBetween } from '#web/lib/time-words.ts'
import { useToday } from '#web/ui/ago.tsx'
import { cx } from '#web/ui/cx.ts'

export function StageTimeline({ hunt }: { hunt: Pick<Hunt, 'stages' | 'isActive' | 'completedOn'> }) {
  const stages = stagesOf(hunt, useToday())
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
                {stage.state === 'now' && stage.days !== null && ` · day ${stage.days + 1}`}
              </span>
            </span>
            <span className="sr-only">{inWords(stage)}</span>
          </li>
        ))}
      </ol>
      {last?.on && (
        <p aria-hidden="true" className="mt-1.5 text-muted text-xs sm:hidden">
          <span className={cx('font-semibold', last.state === 'now' && 'text-leaf')}>{last.name}</span> since {shortDay(last.on)}
          {last.state === 'now' && last.days !== null && ` · day ${last.days + 1}`}
        </p>
      )}
    </div>
  )
}

const looks = { done: 'bg-leaf/55', now: 'bg-leaf', ahead: 'bg-line' }

function inWords({ on, state, days }: StageState): string {
  if (state === 'ahead') return on ? `planned for ${formatDay(on)}` : 'not yet'
  if (state === 'now') return `now on day ${(days ?? 0) + 1}`
  return days === null ? 'done' : `done, took ${counted(days, 'day')}`
}

type StageState = { name: string; on: string | null; state: 'done' | 'now' | 'ahead'; days: number | null }

const names = [
  ['germinatedOn', 'Germinated'],
  ['vegetativeOn', 'Veg'],
  ['flowerOn', 'Flower'],
  ['harvestedOn', 'Harvest'],
  ['driedOn', 'Dry and cure'],
] as const

/**
 * The last stage that started is current unless the hunt is completed. An earlier stage counts as done even without a date. `days` is a
 * stage's duration, so far or in total; the day it starts is day 1.
 */
export function stagesOf(
  { stages, isActive, completedOn }: Pick<Hunt, 'stages' | 'isActive' | 'completedOn'>,
  today: string,
): StageState[] {
  const last = names.findLastIndex(([key]) => stages[key] !== null && (stages[key] as string) <= today)
  return names.map(([key, name], index) => {
    const on = stages[key]
    const next = names.slice(index + 1).find(([later]) => stages[later] !== null)
    const end = (next && stages[next[0]]) ?? completedOn ?? today
    return {
      name,
      on,
      state: index > last ? 'ahead' : index === last && isActive ? 'now' : 'done',
      days: on === null || index > last ? null : Math.max(0, daysBetween(on, end)),
    }
  })
}
