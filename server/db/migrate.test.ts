import { expect, test } from 'vitest'
import { findUnsafeSetting } from './migrate.ts'

const safe = { version: '150008', fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' }

test.each(['150000', '180004'])('accepts version %s', (version) => {
  expect(findUnsafeSetting({ ...safe, version }, false)).toBeUndefined()
})

test('rejects an older version, even if data loss is allowed', () => {
  expect(findUnsafeSetting({ ...safe, version: '140012' }, true)).toBe('The database is PostgreSQL 14; version 15 or newer is required.')
})

test('names every unsafe setting', () => {
  expect(findUnsafeSetting({ ...safe, fsync: 'off', synchronous_commit: 'off' }, false)).toMatch('fsync = off and synchronous_commit = off')
})

test('accepts commits that wait for the local disk or for a replica', () => {
  for (const synchronous_commit of ['local', 'remote_write', 'remote_apply']) {
    expect(findUnsafeSetting({ ...safe, synchronous_commit }, false)).toBeUndefined()
  }
})

test('accepts a database engine that lacks the checked settings', () => {
  expect(findUnsafeSetting({ version: '150000', fsync: null, full_page_writes: null, synchronous_commit: null }, false)).toBeUndefined()
})
