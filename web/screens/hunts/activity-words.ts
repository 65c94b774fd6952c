import type { HuntEvent } from '#contracts/hunt-activity.endpoints.ts'
import { shown, storedUnits, type Units, unitName } from '#web/lib/units.ts'

const measured = [
  ['heightCm', 'length'],
  ['dryGrams', 'mass'],
] as const

/** Activity text in the reader's units; the server's sentence uses stored units. */
export function activityWords({ summary, detail }: Pick<HuntEvent, 'summary' | 'detail'>, units: Units): string {
  return measured.reduce((words, [fact, measure]) => {
    const value = detail[fact]
    if (typeof value !== 'number') return words
    return words.replace(`${value} ${unitName(measure, storedUnits)}`, `${shown(value, measure, units)} ${unitName(measure, units)}`)
  }, summary)
}
