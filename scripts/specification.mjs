/**
 * Checks docs/specification.md against the project: every row of its tables has a sentence of the specification, the places where it is
 * implemented, and the tests that cover it. Fails if a named place or test doesn't exist.
 *
 *     node scripts/specification.mjs [--complete] [--ran report.json…]
 *
 * `--complete`: also fails on rows that are open or untested.
 * `--ran`: the JSON reports of Vitest and Playwright, as written by scripts/test.mjs; all tests named in the tables must have run and
 * passed.
 */
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { readJson, root } from './lib/project.mjs'

/**
 * - `done`: implemented and tested
 * - `beyond`: replaced by other behavior that is documented and tested
 * - `untested`: implemented without a test
 * - `open`: not implemented
 */
export const states = ['done', 'beyond', 'untested', 'open']

/** @typedef {{ file: string, title: string }} TestName */
/** @typedef {{ line: number, id: string, sentence: string, state: string, places: string[], tests: TestName[], note: string }} Row */
/** @typedef {{ file: string, title: string, passed: boolean }} Result */

const columns = ['Id', 'Sentence', 'State', 'Where', 'Shown by', 'Note']

/**
 * The rows of all tables with these columns. Vertical bars in cells must be escaped.
 * @param {string} text
 * @returns {Row[]}
 */
export function readRows(text) {
  /** @type {Row[]} */
  const rows = []
  let isTable = false
  for (const [index, line] of text.split('\n').entries()) {
    if (!line.startsWith('|')) isTable = false
    else if (cellsOf(line).join() === columns.join()) isTable = true
    else if (isTable && !/^\|[-:| ]+$/.test(line)) rows.push(rowOf(cellsOf(line), index + 1))
  }
  return rows
}

/** @param {string} line */
const cellsOf = (line) =>
  line
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))

/** @param {string[]} cells @param {number} line @returns {Row} */
function rowOf(cells, line) {
  const [id = '', sentence = '', state = '', where = '', shownBy = '', ...rest] = cells
  const tests = inBackticks(shownBy).map((name) => {
    const [file = '', ...title] = name.split(' › ')
    return { file, title: title.join(' › ') }
  })
  return { line, id, sentence, state, places: inBackticks(where), tests, note: rest.join(' | ') }
}

/** @param {string} cell */
const inBackticks = (cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => /** @type {string} */ (text))

/**
 * Whether a test file has a test with exactly this title, as in the source: including placeholders such as `%s` and `${…}`.
 * @param {string} source
 * @param {string} title
 */
export function hasTest(source, title) {
  // Quotation marks may be escaped in the source.
  const written = escaped(title).replace(/['"`]/g, '\\\\?$&')
  // After `test(` or `it(`, or after the cases of `test.each(…)(`. `test.skip(` doesn't count, and neither does `page.getByText(`.
  return new RegExp(`(?:(?<![.\\w])(?:test|it)|\\))\\s*\\(\\s*(['"\`])${written}\\1\\s*,`).test(source)
}

/**
 * Problems of the rows, one sentence each.
 * @param {Row[]} rows
 * @param {{ read: (file: string) => string | null, exists: (place: string) => boolean }} project
 * @returns {string[]}
 */
export function problemsOf(rows, project) {
  /** @type {string[]} */
  const problems = []
  /** @type {Map<string, number>} */
  const seen = new Map()
  if (rows.length === 0) problems.push('There is no row.')
  for (const row of rows) {
    /** @param {string} text */
    const say = (text) => void problems.push(`line ${row.line}, ${row.id || 'a row without an id'}: ${text}`)
    const before = seen.get(row.id)
    if (before !== undefined) say(`the id is already on line ${before}`)
    seen.set(row.id, row.line)
    if (!/^[2-9](\.[a-z0-9-]+)+$/.test(row.id)) say('an id begins with the section, 2 to 9: "2.landing.3"')
    if (!row.sentence) say('has no sentence')
    if (!states.includes(row.state)) say(`"${row.state}" isn't one of ${states.join(', ')}`)
    const isBuilt = row.state !== 'open'
    if (isBuilt && row.places.length === 0) say('names no place')
    if ((row.state === 'done' || row.state === 'beyond') && row.tests.length === 0) say(`is ${row.state} and names no test`)
    if (row.state === 'untested' && row.tests.length > 0) say('is untested and names a test')
    if (row.state !== 'done' && !row.note) say(`is ${row.state} and does not say what that means`)
    for (const place of row.places) if (!project.exists(place)) say(`there is no ${place}`)
    for (const { file, title } of row.tests) {
      const source = project.read(file)
      if (source === null) say(`there is no ${file}`)
      else if (!title || !hasTest(source, title)) say(`${file} has no test "${title}"`)
    }
  }
  return problems
}

/**
 * Tests named by rows that didn't run and pass, one sentence each.
 * @param {Row[]} rows
 * @param {Result[]} results
 * @returns {string[]}
 */
export function notPassed(rows, results) {
  /** @type {Map<string, string>} */
  const problems = new Map()
  for (const { file, title } of rows.flatMap((row) => row.tests)) {
    const pattern = asRun(title)
    const ran = results.filter((result) => (result.file === file || result.file.endsWith(`/${file}`)) && pattern.test(result.title))
    if (ran.length === 0) problems.set(`${file} › ${title}`, 'did not run')
    else if (ran.some(({ passed }) => !passed)) problems.set(`${file} › ${title}`, 'did not pass')
  }
  return [...problems].map(([name, what]) => `${name}: ${what}`)
}

/** Matches a title with its placeholders filled in. @param {string} title */
const asRun = (title) => new RegExp(`^${filledIn(title)}$`, 's')

/** @param {string} title */
const filledIn = (title) =>
  title
    .split(/%[sdifjoO#$%]|\$\{[^}]*\}|\$[a-z]\w*/)
    .map(escaped)
    .join('.*')

/** @param {string} text */
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/**
 * Pattern for the tests of a folder that rows name, for Playwright's `--grep`, which matches "project file titles tags".
 * @param {Row[]} rows
 * @param {string} folder
 */
export function grepOf(rows, folder) {
  const inside = rows.flatMap(({ tests }) => tests).filter(({ file }) => file.startsWith(`${folder}/`))
  const patterns = inside.map(({ file, title }) => `${escaped(file.slice(folder.length + 1))} (?:.* )?${filledIn(title)}`)
  if (patterns.length === 0) throw new Error(`No row names a test in ${folder}`)
  return `(?:^| )(?:${[...new Set(patterns)].join('|')})(?: @\\S+)*$`
}

/**
 * The tests that ran, from a report of Vitest or Playwright. Skipped tests didn't run.
 * @param {any} report
 * @returns {Result[]}
 */
export function readReport(report) {
  if (Array.isArray(report?.testResults)) {
    return report.testResults.flatMap((/** @type {any} */ { name, assertionResults }) =>
      assertionResults
        .filter((/** @type {any} */ { status }) => status === 'passed' || status === 'failed')
        .map((/** @type {any} */ { title, status }) => ({ file: name, title, passed: status === 'passed' })),
    )
  }
  if (Array.isArray(report?.suites))
    return report.suites.flatMap((/** @type {any} */ suite) => specsOf(suite, report.config?.rootDir ?? ''))
  throw new Error("This isn't a report from Vitest or Playwright")
}

/** @param {any} suite @param {string} folder @returns {Result[]} */
function specsOf({ specs = [], suites = [] }, folder) {
  const own = specs
    .filter((/** @type {any} */ { tests }) => tests.some((/** @type {any} */ { status }) => status !== 'skipped'))
    .map((/** @type {any} */ { file, title, ok }) => ({ file: path.posix.join(folder, file), title, passed: ok }))
  return [...own, ...suites.flatMap((/** @type {any} */ suite) => specsOf(suite, folder))]
}

/** @param {Row[]} rows */
const countsOf = (rows) => states.map((state) => `${rows.filter((row) => row.state === state).length} ${state}`).join(', ')

export const readSpecification = () => readRows(fs.readFileSync(path.join(root, 'docs/specification.md'), 'utf8'))

/** @param {string[]} args */
function main(args) {
  const ran = args.includes('--ran') ? args.slice(args.indexOf('--ran') + 1).filter((arg) => !arg.startsWith('--')) : null
  const rows = readSpecification()
  /** @type {Map<string, string | null>} */
  const sources = new Map()
  const exists = (/** @type {string} */ place) => fs.existsSync(path.join(root, place))
  const read = (/** @type {string} */ file) => {
    if (!sources.has(file)) sources.set(file, exists(file) ? fs.readFileSync(path.join(root, file), 'utf8') : null)
    return sources.get(file) ?? null
  }
  const problems = problemsOf(rows, { exists, read })
  if (ran)
    problems.push(
      ...notPassed(
        rows,
        ran.flatMap((file) => readReport(readJson(path.resolve(file)))),
      ),
    )
  if (args.includes('--complete')) {
    for (const { id, state, note } of rows) if (state === 'open' || state === 'untested') problems.push(`${id} is ${state}: ${note}`)
  }
  for (const problem of problems) console.error(problem)
  console.log(`The specification in ${rows.length} rows: ${countsOf(rows)}`)
  if (problems.length > 0) process.exitCode = 1
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main(process.argv.slice(2))
