import { expect, test } from 'vitest'
import { questionOf } from './claims.api.ts'

test.each([
  [{}, null],
  [{ licenseNumber: ' 4-0 ' }, null],
  [{ licenseNumber: ' 402R-1 ' }, { licenseNumber: '402R-1' }],
  [{ name: 'Cedar', place: '' }, null],
  [{ name: 'Ce', place: 'Denver, CO' }, null],
  [
    { name: ' Cedar ', place: 'Denver, CO' },
    { name: 'Cedar', place: 'Denver, CO' },
  ],
  [
    { licenseNumber: '402R-1', name: 'Cedar', place: '80202' },
    { licenseNumber: '402R-1', name: 'Cedar', place: '80202' },
  ],
])('turns %j into the query %j', (typed, question) => {
  expect(questionOf(typed)).toEqual(question)
})
