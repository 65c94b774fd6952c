import type { Hunt } from '#contracts/hunts.ts'
import { daysBetween } from '#web/entities/hunts/hunt-words.ts'

export type StageState = { name: string; on: string | null; state: 'done' | 'now' | 'ahead'; days: number | null }

const names = [
  ['germinatedOn', 'Germinated'],
  ['vegetativeOn', 'Veg'],
  ['flowerOn', 'Flower'],
  ['harvestedOn', 'Harvest'],
  ['driedOn', 'Dry and cure'],
] as const

/**
 * Stages in order. The last one started is current unless the hunt is completed; `days` is its duration so far or in total. A stage
 * without a date before a dated one counts as done.
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
