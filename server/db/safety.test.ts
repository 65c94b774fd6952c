import { expect, test } from 'vitest'
import { dangerOf } from './safety.ts'

const safe = { version: '150008', fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' }

test.each(['150000', '180004'])('version %s is taken', (version) => {
  expect(dangerOf({ ...safe, version }, false)).toBeUndefined()
})

test('an older version is refused, even where loss is allowed', () => {
  expect(dangerOf({ ...safe, version: '140012' }, true)).toBe('The database is PostgreSQL 14; 15 or newer is needed.')
})

test('several faults are all named', () => {
  expect(dangerOf({ ...safe, fsync: 'off', synchronous_commit: 'off' }, false)).toMatch('fsync = off and synchronous_commit = off')
})

test('a confirmation that waits for more, or for less than a replica, is safe', () => {
  for (const synchronous_commit of ['local', 'remote_write', 'remote_apply']) {
    expect(dangerOf({ ...safe, synchronous_commit }, false)).toBeUndefined()
  }
})

test('an engine that has no such settings is taken', () => {
  expect(dangerOf({ version: '150000', fsync: null, full_page_writes: null, synchronous_commit: null }, false)).toBeUndefined()
})
