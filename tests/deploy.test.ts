import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { endpoints } from '#contracts/index.ts'
import { projectRoot, variableNames } from '#server/config.ts'

const read = (file: string) => fs.readFileSync(path.join(projectRoot, file), 'utf8')
const exists = (file: string) => fs.existsSync(path.join(projectRoot, file))
const scripts = Object.keys((JSON.parse(read('package.json')) as { scripts: object }).scripts)
const deployed = [
  'Dockerfile',
  ...fs.readdirSync(path.join(projectRoot, 'deploy'), { recursive: true, encoding: 'utf8' }).map((file) => `deploy/${file}`),
].filter((file) => fs.statSync(path.join(projectRoot, file)).isFile())

/** Variables that Node, the images, the commands or the tests read, but not the server. */
const others = [
  'NODE_COMPILE_CACHE',
  'POSTGRES_USER',
  'POSTGRES_DB',
  'POSTGRES_PASSWORD',
  'PGPASSWORD',
  'SITE',
  'ADMIN_PASSWORD',
  'TEST_DATABASE_URL',
  'PATRONI_ETCD_HOSTS',
  'PATRONI_ETCD3_HOSTS',
]

test('sets only variables that the configuration defines', () => {
  const unknown = deployed.flatMap((file) => {
    const set = [
      ...read(file).matchAll(/^\s*(?:ENV|Environment=|environment:)?[^#\n]*?\b([A-Z][A-Z0-9]*_[A-Z0-9_]+|JOBS|PORT|HOST)\b\s*[=:]/gm),
    ]
    return set.map(([, name = '']) => name).filter((name) => ![...variableNames, ...others].includes(name as never))
  })
  expect(unknown).toEqual([])
  expect(read('deploy/compose.yaml')).toContain('JOBS: only')
})

test('runs only files and scripts that exist', () => {
  const text = deployed.map(read).join('\n')
  const files = [...text.matchAll(/\b((?:server|scripts)\/[\w./-]+\.(?:ts|mjs))\b/g)].map(([, file = '']) => file)
  expect(files.length).toBeGreaterThan(3)
  expect(files.filter((file) => !exists(file))).toEqual([])
})

test('lists every command in the README, except start, test, and contracts:calls', () => {
  const text = read('README.md')
  const commands = scripts.filter((name) => !['start', 'test', 'contracts:calls'].includes(name))
  expect(commands.filter((name) => !new RegExp(`npm run ${name}(?![\\w:-])`).test(text))).toEqual([])
})

const decisions = fs.readdirSync(path.join(projectRoot, 'docs/decisions')).map((file) => `docs/decisions/${file}`)

test.each(['README.md', 'docs/architecture.md', 'docs/configuration.md', 'docs/operations.md', ...decisions])(
  'names only existing commands, files, and variables in %s',
  (document) => {
    const text = read(document)
    const named = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name)
    expect(named(/npm run ([\w:-]+)/g).filter((name) => !scripts.includes(name))).toEqual([])
    const files = named(/`((?:agronomy|bench|compliance|contracts|deploy|docs|scripts|server|tests|web)\/[\w./$-]+)`/g)
    expect(files.filter((file) => !exists(file))).toEqual([])
    const links = named(/\]\(([\w./-]+)(?:#[\w-]+)?\)/g).map((link) => path.join(path.dirname(document), link))
    expect(links.filter((file) => !exists(file))).toEqual([])
    const variables = named(/`([A-Z][A-Z0-9]*_[A-Z0-9_]+)(?:=[^`]*)?`/g)
    expect(variables.filter((name) => ![...variableNames, ...others].includes(name as never))).toEqual([])
  },
)

test('documents the commands and variables that operators need', () => {
  const text = read('docs/operations.md')
  for (const name of ['backup', 'backup:restore', 'backup:verify']) expect(text).toContain(`npm run ${name}`)
  expect(text.match(/`[A-Z][A-Z0-9]*_[A-Z0-9_]+/g)?.length).toBeGreaterThan(10)
})

test('configures the proxy to accept the largest allowed body', () => {
  const [, mebibytes = ''] = /client_max_body_size (\d+)m;/.exec(read('deploy/nginx.conf')) ?? []
  const largest = Math.max(...endpoints.map(({ maxBytes = 0 }) => maxBytes))
  expect(Number(mebibytes) * 1024 * 1024).toBeGreaterThanOrEqual(largest)
  expect(read('docs/operations.md')).toContain(`a body of ${mebibytes} MiB`)
})

test('accepts any characters in the example’s database password', () => {
  const [, url = ''] = /DATABASE_URL: (\S+)/.exec(read('deploy/compose.yaml')) ?? []
  expect(url).not.toContain('PASSWORD')
  expect(read('deploy/compose.yaml')).toMatch(/PGPASSWORD: \$\{POSTGRES_PASSWORD:\?\}/)
  vi.stubEnv('PGPASSWORD', 'p@ss:/w%rd#1?')
  expect(new pg.Client({ connectionString: url })).toMatchObject({ password: 'p@ss:/w%rd#1?', host: 'database', database: 'sungrove' })
  vi.unstubAllEnvs()
})

test('passes every variable in the environment file to the nodes of the example', () => {
  const compose = read('deploy/compose.yaml')
  expect(compose).toMatch(/^ {2}env_file: \.env$/m)
  expect(compose.match(/<<: \*app/g)).toHaveLength(2)
})

test('keeps nodes in rotation in every example while the database is down', () => {
  expect(read('Dockerfile')).toContain('/healthz')
  expect(read('Dockerfile')).not.toMatch(/fetch\([^)]*readyz/)
  // Counting 503 as a failure would take a node out of rotation for a while.
  expect(read('deploy/nginx.conf')).not.toMatch(/proxy_next_upstream[^;]*http_503/)
  expect(read('deploy/Caddyfile')).not.toMatch(/unhealthy_status/)
})

test('copies into the image every file that the server and the build need', () => {
  const left = read('.dockerignore')
    .split('\n')
    .filter((line) => line && !line.includes('*'))
  const needed = ['server', 'contracts', 'compliance', 'agronomy', 'data', 'web', 'scripts', 'package-lock.json']
  expect(needed.filter((name) => left.includes(name))).toEqual([])
  // Excludes local data, Git's history and installed packages.
  expect(left).toEqual(expect.arrayContaining(['.data', '.git', 'node_modules']))
})
