import { expect, test } from 'vitest'
import { metrics } from '#contracts/insights.endpoints.ts'
import { csvOf } from './get-insights.ts'

test('writes one line per step with its first day in the period, one column per figure, and no formulas', () => {
  const series = metrics.map((metric, i) => ({ metric, values: [i, null] }))
  const csv = csvOf({ from: '2026-11-11', by: 'week', steps: ['2026-11-09', '2026-11-16'], series })
  expect(csv).toBe(
    [
      'From,Page views,Calls,Directions,Website clicks,Product views,Post views,New followers,New favorites,New subscribers',
      '2026-11-11,0,1,2,3,4,5,6,7,8',
      `2026-11-16${',fewer than 5'.repeat(9)}`,
      '',
    ].join('\r\n'),
  )
  for (const cell of csv.split(/[,\r\n]/)) expect(cell).not.toMatch(/^[=+\-@\t]/)
})
