import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { endpoints } from '#contracts/index.ts'
import { callsFolder, generateCalls } from './generate-calls.ts'

test('finds contracts/calls up to date (if not, run `npm run contracts:calls`)', async () => {
  const stored = fs.readdirSync(callsFolder).map((name): [string, string] => [name, fs.readFileSync(path.join(callsFolder, name), 'utf8')])
  expect(Object.fromEntries(stored)).toEqual(Object.fromEntries(await generateCalls()))
})

test('lists every endpoint in contracts/index.ts', async () => {
  const calls = [...(await generateCalls()).values()].flatMap((text) => text.match(/^export const /gm) ?? [])
  expect(endpoints).toHaveLength(calls.length)
})
