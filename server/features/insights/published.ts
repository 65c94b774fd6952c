import { smallestGroup } from '../../../contracts/insights.ts'
import type { Day } from './days.ts'

/** What was counted on a day. `visitors`: how many different ones. */
export type Counted = { day: Day; visits: number; visitors: number }

/** A figure as it is shown; null: people, but fewer than five. */
export type Figure = number | null

/** Days that are shown as one figure, on the last of them. At least five visitors, and in no other group. */
export type Group = { first: Day; last: Day; visits: number; visitors: number }

/**
 * Puts days together until there are five visitors: a quiet day is shown together with the next ones. The groups depend on nothing but the
 * counts of their year up to themselves, never on the period that somebody asks for, and each day is in one of them at most. Every figure
 * that is ever shown is a sum of whole groups; so is the difference of any two of them, and none is about fewer than five visitors. (A visitor
 * is known by the day: somebody who comes on five days is five.) What is left at the end of a year is not shown.
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
 * The figure of every day on which anything was counted. A day that goes on grows by single visits, which would show each of them to
 * whoever looks twice: it is shown in steps of five until it is over.
 */
export function publish(counted: readonly Counted[], today: Day): Map<Day, Figure> {
  const figures = new Map<Day, Figure>(counted.map(({ day }) => [day, null]))
  for (const { last, visits } of groupsOf(counted)) figures.set(last, last >= today ? inSteps(visits) : visits)
  return figures
}

/** Down to a whole number of fives; null for fewer than five, 0 for none. */
export function inSteps(count: number): Figure {
  return count > 0 && count < smallestGroup ? null : count - (count % smallestGroup)
}

/** The sum of the days from one to another. Null: there were some, and none of them is shown. */
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

/** The sum of several figures; null only when nothing but hidden ones is there. */
export function total(figures: readonly Figure[]): Figure {
  const shown = figures.filter((figure) => figure !== null)
  const sum = shown.reduce((all, figure) => all + figure, 0)
  return sum === 0 && shown.length < figures.length ? null : sum
}

/** The smaller the whole, the more of it is parts of fewer than five: in weeks of three visitors nothing could be told. */
const smallestWhole = 60

/**
 * The stretches of days within which a whole is divided into its parts: made of whole groups, so that a division and the figures of days
 * together tell no more than each. A day that goes on is not divided.
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
