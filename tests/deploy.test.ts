import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot, variableNames } from '../server/config.ts'

const read = (file: string) => fs.readFileSync(path.join(projectRoot, file), 'utf8')
const exists = (file: string) => fs.existsSync(path.join(projectRoot, file))
const scripts = Object.keys((JSON.parse(read('package.json')) as { scripts: object }).scripts)
const deployed = [
  'Dockerfile',
  ...fs.readdirSync(path.join(projectRoot, 'deploy'), { recursive: true, encoding: 'utf8' }).map((file) => `deploy/${file}`),
].filter((file) => fs.statSync(path.join(projectRoot, file)).isFile())

/** What the files of deployment set that is no variable of ours: Node's, the scripts' and the images' own. */
const others = ['NODE_COMPILE_CACHE', 'POSTGRES_USER', 'POSTGRES_DB', 'POSTGRES_PASSWORD', 'SITE']

test('what is deployed sets variables that the configuration knows', () => {
  const unknown = deployed.flatMap((file) => {
    const set = [
      ...read(file).matchAll(/^\s*(?:ENV|Environment=|environment:)?[^#\n]*?\b([A-Z][A-Z0-9]*_[A-Z0-9_]+|JOBS|PORT|HOST)\b\s*[=:]/gm),
    ]
    return set.map(([, name = '']) => name).filter((name) => ![...variableNames, ...others].includes(name as never))
  })
  expect(unknown).toEqual([])
  expect(read('deploy/compose.yaml')).toContain('JOBS: only')
})

test('what is deployed runs files and scripts that there are', () => {
  const text = deployed.map(read).join('\n')
  const files = [...text.matchAll(/\b((?:server|scripts)\/[\w./-]+\.(?:ts|mjs))\b/g)].map(([, file = '']) => file)
  expect(files.length).toBeGreaterThan(3)
  expect(files.filter((file) => !exists(file))).toEqual([])
})

test('the documents name commands, files and variables that there are', () => {
  const text = read('docs/operations.md')
  const commands = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name)
  expect(commands).toEqual(expect.arrayContaining(['backup', 'backup:restore', 'backup:verify']))
  expect(commands.filter((name) => !scripts.includes(name))).toEqual([])
  const files = [...text.matchAll(/`((?:deploy|docs|server|scripts)\/[\w./-]+)`/g)].map(([, file = '']) => file)
  expect(files.filter((file) => !exists(file))).toEqual([])
  const links = [...text.matchAll(/\]\(([\w./-]+\.md)\)/g)].map(([, file = '']) => `docs/${file}`)
  expect(links.filter((file) => !exists(file))).toEqual([])
  const variables = [...text.matchAll(/`([A-Z][A-Z0-9]*_[A-Z0-9_]+)(?:=[^`]*)?`/g)].map(([, name = '']) => name)
  expect(variables.length).toBeGreaterThan(10)
  expect(variables.filter((name) => ![...variableNames, ...others].includes(name as never))).toEqual([])
})

test('the image holds all that the server and the build read', () => {
  const left = read('.dockerignore')
    .split('\n')
    .filter((line) => line && !line.includes('*'))
  const needed = ['server', 'contracts', 'compliance', 'agronomy', 'data', 'web', 'scripts', 'package-lock.json']
  expect(needed.filter((name) => left.includes(name))).toEqual([])
  // Secrets and other people's data stay out of it.
  expect(left).toEqual(expect.arrayContaining(['.data', '.git', 'node_modules']))
})
