import { expect, test } from 'vitest'
import { grepOf, hasTest, notPassed, problemsOf, readReport, readRows } from './specification.mjs'

const table = (...rows) =>
  [
    '# Specification',
    '',
    '| Id | Sentence | State | Where | Shown by | Note |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
    '',
    '| Other | table |',
    '| --- | --- |',
    '| 2.other | not a row |',
  ].join('\n')

const done = '| 2.home.1 | Welcome card | done | `web/home.tsx` `web/card.tsx` | `tests/home.spec.ts › it says welcome` |  |'
const open = '| 2.guide.1 | Floating card | open |  |  | Part 6 |'

const files = {
  'web/home.tsx': '',
  'web/card.tsx': '',
  'tests/home.spec.ts': "test('it says welcome', async ({ page }) => {})\ntest('a \\'quoted\\' title', () => {})\n",
}
const project = { exists: (place) => place in files, read: (file) => files[file] ?? null }
const problems = (...rows) => problemsOf(readRows(table(...rows)), project)

test('reads rows with their files and tests, even if a cell contains a vertical bar', () => {
  expect(readRows(table(done.replace('Welcome card', 'One \\| two')))).toEqual([
    {
      line: 5,
      id: '2.home.1',
      sentence: 'One | two',
      state: 'done',
      places: ['web/home.tsx', 'web/card.tsx'],
      tests: [{ file: 'tests/home.spec.ts', title: 'it says welcome' }],
      note: '',
    },
  ])
})

test('finds no problems in a correct row', () => {
  expect(problems(done, open)).toEqual([])
})

test.each([
  ['a duplicate id', [done, done], 'is already on line 5'],
  ['an id without a section', [done.replace('2.home.1', 'home')], 'begins with the section'],
  ['an unknown state', [done.replace('| done |', '| almost |')], "isn't one of"],
  ['a missing file', [done.replace('web/card', 'web/gone')], 'there is no web/gone.tsx'],
  ['a missing test file', [done.replace('tests/home', 'tests/gone')], 'there is no tests/gone.spec.ts'],
  ['an inexact title', [done.replace('it says welcome', 'it says')], 'has no test "it says"'],
  ['done without a test', [done.replace(/`tests.*?`/, '')], 'is done and names no test'],
  ['done without an implementation', [done.replace(/`web.*tsx`/, '')], 'names no place'],
  ['untested with a test', [done.replace('| done |', '| untested |')], 'is untested and names a test'],
  ['open without a note', [open.replace('Part 6', '')], 'does not say what that means'],
  ['beyond without a note', [done.replace('| done |', '| beyond |')], 'does not say what that means'],
  ['a table without rows', [], 'There is no row'],
])('reports: %s', (_, rows, problem) => {
  expect(problems(...rows).join('\n')).toContain(problem)
})

test('finds a test by its exact title, however it is declared', () => {
  const source = `
    test('plain', () => {})
    it("double", async () => {})
    test(
      'on its own line',
      async () => {},
    )
    test.each([[1, 2]])('%i becomes %i', (a, b) => {})
    test(\`everyone can use \${path}\`, async () => {})
    test('a \\'quoted\\' title', () => {})
    test.skip('left out', () => {})
    await page.getByText('not a test', { exact: true })
    expect('also not', 1)
  `
  for (const title of ['plain', 'double', 'on its own line', '%i becomes %i', `everyone can use \${path}`, "a 'quoted' title"]) {
    expect(hasTest(source, title), title).toBe(true)
  }
  for (const title of ['plai', 'left out', 'not a test', 'also not', 'gone']) expect(hasTest(source, title), title).toBe(false)
})

const vitest = {
  testResults: [
    {
      name: '/ci/sungrove/tests/home.spec.ts',
      assertionResults: [
        { title: 'it says welcome', status: 'passed' },
        { title: 'it waits', status: 'pending' },
        { title: '3 becomes 4', status: 'passed' },
        { title: '4 becomes 6', status: 'failed' },
      ],
    },
  ],
}
const playwright = {
  config: { rootDir: '/ci/sungrove/tests/e2e' },
  suites: [
    {
      specs: [{ file: 'landing.spec.ts', title: 'everyone can use /auth', ok: true, tests: [{ status: 'expected' }] }],
      suites: [{ specs: [{ file: 'landing.spec.ts', title: 'left out', ok: true, tests: [{ status: 'skipped' }] }] }],
    },
  ],
}

const row = (file, title) => ({ line: 1, id: '2.a', sentence: 's', state: 'done', places: [], tests: [{ file, title }], note: '' })

test.each([
  ['tests/home.spec.ts', 'it says welcome', []],
  ['tests/home.spec.ts', 'it waits', ['tests/home.spec.ts › it waits: did not run']],
  ['tests/home.spec.ts', 'it says', ['tests/home.spec.ts › it says: did not run']],
  ['other/home.spec.ts', 'it says welcome', ['other/home.spec.ts › it says welcome: did not run']],
  ['tests/home.spec.ts', '%i becomes %i', ['tests/home.spec.ts › %i becomes %i: did not pass']],
  ['tests/e2e/landing.spec.ts', `everyone can use \${path}`, []],
  ['tests/e2e/landing.spec.ts', 'left out', ['tests/e2e/landing.spec.ts › left out: did not run']],
])('checks whether a run passed %s › %s and reports %j', (file, title, said) => {
  expect(notPassed([row(file, title)], [vitest, playwright].flatMap(readReport))).toEqual(said)
})

test('rejects any input but a report', () => {
  expect(() => readReport(undefined)).toThrow("isn't a report")
  expect(() => readReport({ tests: 4 })).toThrow("isn't a report")
})

test('selects only the named tests of a folder, by their Playwright names', () => {
  const rows = readRows(
    table(
      done.replace('tests/home.spec.ts › it says welcome', 'tests/e2e/home.spec.ts › /%s says "a (b)"'),
      open.replace('|  | Part 6', '| `tests/faults/home.spec.ts › elsewhere` | Part 6'),
    ),
  )
  const grep = new RegExp(grepOf(rows, 'tests/e2e'), 'gi')
  const picked = (name) => name.match(grep) !== null
  expect(picked('chromium home.spec.ts /favorites says "a (b)"')).toBe(true)
  expect(picked('map home.spec.ts the first page /plans says "a (b)" @map')).toBe(true)
  expect(picked('chromium home.spec.ts /favorites says "a (b)" and more')).toBe(false)
  expect(picked('chromium homexspec.ts /favorites says "a (b)"')).toBe(false)
  expect(picked('chromium not-home.spec.ts /favorites says "a (b)"')).toBe(false)
  expect(picked('chromium home.spec.ts elsewhere')).toBe(false)
})

test('rejects a selection without any named test', () => {
  expect(() => grepOf(readRows(table(done)), 'tests/e2e')).toThrow('No row names a test in tests/e2e')
})
