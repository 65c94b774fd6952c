import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { storedSecret, storedVapidKeys } from './secrets.ts'

let dataDir: string
beforeEach(() => {
  dataDir = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'sungrove-secrets-')), 'data')
})
afterEach(() => fs.rmSync(path.dirname(dataDir), { recursive: true }))

test('creates a secret once, readable only by its owner', () => {
  const secret = storedSecret(dataDir)
  expect(secret.length).toBeGreaterThanOrEqual(32)
  expect(storedSecret(dataDir)).toBe(secret)
  expect(fs.statSync(path.join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600)
  expect(fs.readdirSync(dataDir)).toEqual(['secrets.json'])
})

test('creates a different secret in another folder', () => {
  expect(storedSecret(dataDir)).not.toBe(storedSecret(path.join(dataDir, 'other')))
})

test('never silently replaces a damaged file', () => {
  fs.mkdirSync(dataDir)
  fs.writeFileSync(path.join(dataDir, 'secrets.json'), '{}')
  expect(() => storedSecret(dataDir)).toThrow('contains no session secret')
})

test('stores the web push keys as a point and a scalar of P-256', () => {
  const keys = storedVapidKeys(dataDir)
  expect(storedVapidKeys(dataDir)).toEqual(keys)
  expect(Buffer.from(keys.publicKey, 'base64url')).toHaveLength(65)
  expect(Buffer.from(keys.publicKey, 'base64url')[0]).toBe(4)
  expect(Buffer.from(keys.privateKey, 'base64url')).toHaveLength(32)
  expect(fs.statSync(path.join(dataDir, 'vapid.json')).mode & 0o777).toBe(0o600)
})
