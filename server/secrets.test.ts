import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { keptSecret, keptVapidKeys } from './secrets.ts'

let dataDir: string
beforeEach(() => {
  dataDir = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'sungrove-secrets-')), 'data')
})
afterEach(() => fs.rmSync(path.dirname(dataDir), { recursive: true }))

test('a secret is made once and kept, for its owner alone', () => {
  const secret = keptSecret(dataDir)
  expect(secret.length).toBeGreaterThanOrEqual(32)
  expect(keptSecret(dataDir)).toBe(secret)
  expect(fs.statSync(path.join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600)
  expect(fs.readdirSync(dataDir)).toEqual(['secrets.json'])
})

test('another folder has another secret', () => {
  expect(keptSecret(dataDir)).not.toBe(keptSecret(path.join(dataDir, 'other')))
})

test('a damaged file is not replaced behind anybody’s back', () => {
  fs.mkdirSync(dataDir)
  fs.writeFileSync(path.join(dataDir, 'secrets.json'), '{}')
  expect(() => keptSecret(dataDir)).toThrow('holds no session secret')
})

test('the keys of web pushes are a point and a number of P-256, and kept as well', () => {
  const keys = keptVapidKeys(dataDir)
  expect(keptVapidKeys(dataDir)).toEqual(keys)
  expect(Buffer.from(keys.publicKey, 'base64url')).toHaveLength(65)
  expect(Buffer.from(keys.publicKey, 'base64url')[0]).toBe(4)
  expect(Buffer.from(keys.privateKey, 'base64url')).toHaveLength(32)
  expect(fs.statSync(path.join(dataDir, 'vapid.json')).mode & 0o777).toBe(0o600)
})
