import { expect, it } from 'vitest'
import { plannedTasks } from './run-dialog.tsx'

const today = '2026-11-30'

it.each([
  [{ name: 'Tent A', floweredOn: '', endedOn: '' }, []],
  [{ name: 'Tent A', floweredOn: today, endedOn: '' }, []],
  [{ name: ' Tent A ', floweredOn: '2026-12-05', endedOn: '' }, [{ title: 'Flip Tent A to flower', dueOn: '2026-12-05' }]],
  [{ name: 'Tent A', floweredOn: '2026-10-05', endedOn: '2026-12-20' }, [{ title: 'End Tent A', dueOn: '2026-12-20' }]],
  [
    { name: 'Tent A', floweredOn: '2026-12-05', endedOn: '2027-02-05' },
    [
      { title: 'Flip Tent A to flower', dueOn: '2026-12-05' },
      { title: 'End Tent A', dueOn: '2027-02-05' },
    ],
  ],
])('turns future days of %j into tasks', (values, tasks) => {
  expect(plannedTasks(values, today)).toEqual(tasks)
})
