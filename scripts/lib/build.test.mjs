import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readSourceFiles } from '#tests/support/source-files.ts'
import { inputs } from './build.mjs'
import { root } from './project.mjs'

const isInput = (file) => inputs.some((input) => file === input || file.startsWith(`${input}/`))

test('rebuilds when any source of the web app changes', () => {
  const files = readSourceFiles().filter(({ path: file }) => isInput(file) && !/\.test\.tsx?$/.test(file))
  const used = files.flatMap(({ imports }) => imports.flatMap(({ target }) => target ?? []))
  const plugins = [...fs.readFileSync(path.join(root, 'vite.config.ts'), 'utf8').matchAll(/from '\.\/(.+?)'/g)].map(([, file]) => file)
  // Does nothing in a build.
  const forDevelopment = 'scripts/dev-boot-plugin.ts'
  const needed = [...new Set([...used, ...plugins])].filter((file) => file !== forDevelopment)
  expect(needed.filter((file) => !isInput(file))).toEqual([])
  expect(inputs.filter((input) => !fs.existsSync(path.join(root, input)))).toEqual([])
})
