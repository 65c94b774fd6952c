import { expect, it } from 'vitest'
import { plannedTasks, problemsOf } from './run-dialog.tsx'

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

it.each(['4 rows', '5.5', '0', '-3', '101'])('refuses %j as the side of a bench instead of dropping or changing it', (text) => {
  const wrong = 'Enter a whole number from 1 to 100'
  expect(problemsOf({ name: 'Tent A', benchRows: text, benchColumns: '6' })).toEqual({ benchRows: wrong })
  expect(problemsOf({ name: 'Tent A', benchRows: '', benchColumns: text })).toEqual({ benchColumns: wrong })
})

it('accepts a named run without a bench or with sides from 1 to 100', () => {
  expect(problemsOf({ name: 'Tent A', benchRows: '', benchColumns: ' ' })).toEqual({})
  expect(problemsOf({ name: 'Tent A', benchRows: ' 1 ', benchColumns: '100' })).toEqual({})
  expect(problemsOf({ name: ' ', benchRows: '', benchColumns: '' })).toEqual({ name: 'Name the run' })
})
