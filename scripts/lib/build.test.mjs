import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readSourceFiles } from '#tests/support/source-files.ts'
import { inputs, keepPreviousFiles } from './build.mjs'
import { root } from './project.mjs'

const isInput = (file) => inputs.some((input) => file === input || file.startsWith(`${input}/`))

test('counts every source of the web app as an input of its build', () => {
  const files = readSourceFiles().filter(({ path: file }) => isInput(file) && !/\.test\.tsx?$/.test(file))
  const used = files.flatMap(({ imports }) => imports.flatMap(({ target }) => target ?? []))
  const plugins = [...fs.readFileSync(path.join(root, 'vite.config.ts'), 'utf8').matchAll(/from '\.\/(.+?)'/g)].map(([, file]) => file)
  // This plugin does nothing in a build.
  const forDevelopment = 'scripts/dev-boot-plugin.ts'
  const needed = [...new Set([...used, ...plugins])].filter((file) => file !== forDevelopment)
  expect(needed.filter((file) => !isInput(file))).toEqual([])
  expect(inputs.filter((input) => !fs.existsSync(path.join(root, input)))).toEqual([])
})

test('keeps the previous build’s files for running servers, but none from earlier builds', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sungrove-build-'))
  const build = (name, files) => {
    const to = path.join(folder, name)
    const manifest = Object.fromEntries(files.map((file) => [file, { file: `assets/${file}.js`, css: [`assets/${file}.css`] }]))
    fs.mkdirSync(path.join(to, '.vite'), { recursive: true })
    fs.mkdirSync(path.join(to, 'assets'))
    fs.writeFileSync(path.join(to, '.vite/manifest.json'), JSON.stringify(manifest))
    for (const file of files.flatMap((each) => [`${each}.js`, `${each}.js.br`, `${each}.css`]))
      fs.writeFileSync(path.join(to, 'assets', file), name)
    return to
  }
  const [first, second, third] = [build('first', ['a', 'b']), build('second', ['b', 'c']), build('third', ['d'])]
  keepPreviousFiles(path.join(folder, 'none'), first)
  keepPreviousFiles(first, second)
  keepPreviousFiles(second, third)
  const names = (of) => fs.readdirSync(path.join(of, 'assets')).filter((file) => file.endsWith('.js') || file.endsWith('.br'))
  expect(names(second)).toEqual(['a.js', 'a.js.br', 'b.js', 'b.js.br', 'c.js', 'c.js.br'])
  expect(fs.readFileSync(path.join(second, 'assets/b.js'), 'utf8')).toBe('second')
  expect(names(third)).toEqual(['b.js', 'b.js.br', 'c.js', 'c.js.br', 'd.js', 'd.js.br'])
  fs.rmSync(folder, { recursive: true })
})
