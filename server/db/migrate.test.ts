import { expect, test } from 'vitest'
import { dangerOf } from './migrate.ts'

const safe = { version: '150008', fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' }

test.each(['150000', '180004'])('accepts version %s', (version) => {
  expect(dangerOf({ ...safe, version }, false)).toBeUndefined()
})

test('rejects an older version, even if loss is allowed', () => {
  expect(dangerOf({ ...safe, version: '140012' }, true)).toBe('The database is PostgreSQL 14; version 15 or newer is required.')
})

test('names all of several faults', () => {
  expect(dangerOf({ ...safe, fsync: 'off', synchronous_commit: 'off' }, false)).toMatch('fsync = off and synchronous_commit = off')
})

test('accepts commits that wait for more or less than a replica', () => {
  for (const synchronous_commit of ['local', 'remote_write', 'remote_apply']) {
    expect(dangerOf({ ...safe, synchronous_commit }, false)).toBeUndefined()
  }
})

test('accepts an engine without such settings', () => {
  expect(dangerOf({ version: '150000', fsync: null, full_page_writes: null, synchronous_commit: null }, false)).toBeUndefined()
})
