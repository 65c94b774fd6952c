import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readAdminSearch } from './admin-search.ts'
import { actionText, nameOf, sentenceOf, wordOf } from './audit-panel.tsx'

test('describes an audit log entry in a sentence', () => {
  const actor = { id: 'a', name: 'Ann' }
  expect(sentenceOf({ actor, person: null, action: 'claim.approved' })).toBe('Ann approved a claim')
  expect(sentenceOf({ actor: null, person: null, action: 'license.expired' })).toBe('The system marked a license as expired')
  expect(sentenceOf({ actor: { id: 'a', name: null }, person: null, action: 'role.changed' })).toBe('A deleted account changed a role')
  expect(sentenceOf({ actor, person: { id: 'b', name: 'Ben' }, action: 'moderation.mute' })).toBe('Ann muted Ben')
  expect(sentenceOf({ actor, person: null, action: 'seed_lot.sent_back' })).toBe('Ann did “sent back” to a seed lot')
})

test('shows the names and values of details as words', () => {
  expect(['license_verification', 'isDispute', 'before', 'user'].map(nameOf)).toEqual([
    'License verification',
    'Is dispute',
    'Before',
    'Account',
  ])
  expect([true, false, 3, 'admin', 'illegal_sale', 'no_owner'].map(wordOf)).toEqual(['yes', 'no', '3', 'admin', 'Illegal sale', 'no owner'])
  expect(wordOf('01a226af-f910-7a0b-9e9b-511b48d81e75')).toBe('48d81e75')
})

test('has a sentence for every literal action the server logs', () => {
  const features = path.join(import.meta.dirname, '../../../server/features')
  const files = fs.readdirSync(features, { recursive: true, encoding: 'utf8' }).filter((file) => /(?<!\.test)\.ts$/.test(file))
  const written = files.flatMap((file) => {
    const source = fs.readFileSync(path.join(features, file), 'utf8')
    return [...source.matchAll(/\baction: '([a-z_]+\.[a-z_]+)'/g)].map(([, action]) => action as string)
  })
  expect(written.length).toBeGreaterThan(15)
  expect([...new Set(written)].filter((action) => actionText(action).startsWith('did “'))).toEqual([])
})

test('ignores invalid days in an old or mistyped link', () => {
  const daysOf = (from: string, to: string) => {
    const search = readAdminSearch({ from, to })
    return [search.from, search.to]
  }
  expect(daysOf('2026-02-28', '2026-11-30')).toEqual(['2026-02-28', '2026-11-30'])
  expect(daysOf('2026-02-30', '2026-13-01')).toEqual([undefined, undefined])
  expect(daysOf('0001-12-31', '9999-01-01')).toEqual([undefined, undefined])
  expect(daysOf('0002-01-01', '9998-12-31')).toEqual(['0002-01-01', '9998-12-31'])
})
