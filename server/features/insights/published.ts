import { smallestGroup } from '#contracts/limits.ts'
import type { Day } from './days.ts'

/** `visitors` counts each person once. */
export type Counted = { day: Day; visits: number; visitors: number }

/** A published figure; null if there were fewer than five people. Zero only if no one came, and the day is over. */
export type Figure = number | null

/** Days published as one figure, on the last of them. Has at least five visitors; groups don't overlap. */
export type Group = { first: Day; last: Day; visits: number; visitors: number }

/**
 * Groups days until there are five visitors: a quiet day is shown together with the following ones. Groups depend only on the
 * counts of their year up to themselves, never on the requested period, and each day is in at most one. Every published figure
 * is a sum of whole groups, and so is the difference of any two, so none is about fewer than five visitors. (Visitors are
 * identified per day: a person who comes on five days counts as five.) The remainder at the end of a year is not shown.
 */
export function groupsOf(counted: readonly Counted[]): Group[] {
  const groups: Group[] = []
  let open: Group | null = null
  for (const { day, visits, visitors } of counted) {
    if (open?.first.slice(0, 4) !== day.slice(0, 4)) open = null
    open = open
      ? { first: open.first, last: day, visits: open.visits + visits, visitors: open.visitors + visitors }
      : { first: day, last: day, visits, visitors }
    if (open.visitors < smallestGroup) continue
    groups.push(open)
    open = null
  }
  return groups
}

/**
 * The figure of every counted day and of the current one. The current day grows by one visit at a time, which repeated requests would
 * reveal, so until it is over, it is shown in steps of five, and as null below five, even if it is zero.
 */
export function publish(counted: readonly Counted[], today: Day): Map<Day, Figure> {
  const figures = new Map<Day, Figure>([...counted.map(({ day }) => day), today].map((day) => [day, null]))
  for (const { last, visits } of groupsOf(counted)) figures.set(last, last >= today ? inSteps(visits) : visits)
  return figures
}

/** Rounds down to a multiple of five. Null below five, even for zero, because a change from zero would show what one person did. */
export function inSteps(count: number): Figure {
  return count < smallestGroup ? null : count - (count % smallestGroup)
}

/** Null if there were visits, but none of them is shown. */
export function sumOf(figures: ReadonlyMap<Day, Figure>, from: Day, to: Day): Figure {
  let sum: Figure = 0
  let isHidden = false
  for (const [day, figure] of figures) {
    if (day < from || day > to) continue
    if (figure === null) isHidden = true
    else sum += figure
  }
  return sum === 0 && isHidden ? null : sum
}

/** Null if a figure is hidden and the others add up to zero. */
export function total(figures: readonly Figure[]): Figure {
  const shown = figures.filter((figure) => figure !== null)
  const sum = shown.reduce((all, figure) => all + figure, 0)
  return sum === 0 && shown.length < figures.length ? null : sum
}

/** Below this, most parts would have fewer than five visitors and be hidden. */
const smallestWhole = 60

/**
 * Stretches of days over which a total is divided into parts. They consist of whole groups, so that the parts and the daily
 * figures together reveal no more than each alone. The current day is not divided.
 */
export function stretchesOf(counted: readonly Counted[], today: Day): Group[] {
  const stretches: Group[] = []
  let open: Group | null = null
  for (const group of groupsOf(counted)) {
    if (group.last >= today) break
    if (open?.first.slice(0, 4) !== group.first.slice(0, 4)) open = null
    open = open
      ? { first: open.first, last: group.last, visits: open.visits + group.visits, visitors: open.visitors + group.visitors }
      : group
    if (open.visitors < smallestWhole) continue
    stretches.push(open)
    open = null
  }
  return stretches
}
