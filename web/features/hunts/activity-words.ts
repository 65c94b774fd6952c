import type { HuntEvent } from '../../../contracts/hunt-activity.ts'
import { shown, storedUnits, type Units, unitName } from '../../lib/units.ts'

const measured = [
  ['heightCm', 'length'],
  ['dryGrams', 'mass'],
] as const

/** What happened, with its figures as they are read: the server's sentence has them as they are stored. */
export function activityWords({ summary, detail }: Pick<HuntEvent, 'summary' | 'detail'>, units: Units): string {
  return measured.reduce((words, [fact, measure]) => {
    const value = detail[fact]
    if (typeof value !== 'number') return words
    return words.replace(`${value} ${unitName(measure, storedUnits)}`, `${shown(value, measure, units)} ${unitName(measure, units)}`)
  }, summary)
}
