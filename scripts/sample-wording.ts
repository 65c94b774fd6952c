/**
 * Draws comments, sentences that people read, and test titles at random, to be read by someone who didn't write them:
 *
 *     node scripts/sample-wording.ts [--seed 1] [--comments 300] [--sentences 300] [--titles 100]
 *
 * The same seed and source give the same sample.
 */
import fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { parseAst } from 'rolldown/parseAst'
import { seededRandom } from '#web/ui/seed.ts'

export type Phrase = { file: string; line: number; text: string }

const lineAt = (code: string, index: number) => code.slice(0, index).split('\n').length
const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

/** Counts consecutive line comments as one. Directives for tools aren't prose, and `/*` after another character is part of a pattern. */
export function commentsOf(file: string, code: string): Phrase[] {
  return [...code.matchAll(/(?<=^|[\s({[])\/\*[\s\S]*?\*\/|(?:(?<=^|\n)[ \t]*\/\/[^\n]*\n?)+/g)].flatMap(({ 0: found, index }) => {
    const text = oneLine(found.replace(/^\s*(?:\/\*+|\*\/|\*|\/\/)|\*\/$/gm, ' '))
    return /\s/.test(text) && !/^(?:biome-ignore|@ts-|@vitest)/.test(text) ? [{ file, line: lineAt(code, index), text }] : []
  })
}

type Node = { type: string; start: number; [key: string]: unknown }

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

function visit(file: string, code: string, onNode: (node: Node) => void): void {
  const visitNode = (node: Node) => {
    onNode(node)
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visitNode(child)
    }
  }
  visitNode(parseAst(code, { lang: file.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node)
}

const templateText = ({ quasis }: Node): string => (quasis as { value: { raw: string } }[]).map(({ value }) => value.raw).join('…')

/** String literals, templates and JSX text of at least three words that begin like a sentence, except SVG paths. */
export function sentencesOf(file: string, code: string): Phrase[] {
  const found: Phrase[] = []
  const add = (start: number, given: string) => {
    const text = oneLine(given)
    if (/^[A-Z“][^\s]*(?:\s+\S+){2,}$/.test(text) && /[a-z]{2}/.test(text)) found.push({ file, line: lineAt(code, start), text })
  }
  visit(file, code, (node) => {
    if (node.type === 'Literal' && typeof node.value === 'string') add(node.start, node.value)
    if (node.type === 'JSXText') add(node.start, String(node.value))
    if (node.type === 'TemplateLiteral') add(node.start, templateText(node))
  })
  return found
}

const modifiers = new Set(['concurrent', 'describe', 'each', 'fails', 'for', 'only', 'runIf', 'sequential', 'serial', 'skip', 'skipIf'])

/** `test`, `test.only`, `test.each(…)`, `describe.runIf(…)` and so on, but not `test.request` of a test's own server. */
function declaresTests(callee: Node): boolean {
  if (callee.type === 'Identifier') return ['test', 'it', 'describe'].includes(callee.name as string)
  if (callee.type === 'CallExpression') return declaresTests(callee.callee as Node)
  if (callee.type === 'TaggedTemplateExpression') return declaresTests(callee.tag as Node)
  if (callee.type !== 'MemberExpression') return false
  return modifiers.has((callee.property as Node).name as string) && declaresTests(callee.object as Node)
}

export function titlesOf(file: string, code: string): Phrase[] {
  const found: Phrase[] = []
  visit(file, code, (node) => {
    const [title] = node.type === 'CallExpression' && declaresTests(node.callee as Node) ? (node.arguments as Node[]) : []
    const text = title?.type === 'TemplateLiteral' ? templateText(title) : title?.value
    if (title && typeof text === 'string') found.push({ file, line: lineAt(code, title.start), text })
  })
  return found
}

export function draw<T>(all: readonly T[], count: number, seed: number): T[] {
  const random = seededRandom(seed)
  const left = [...all]
  return Array.from({ length: Math.min(count, left.length) }, () => left.splice(random.whole(0, left.length - 1), 1)[0] as T)
}

const root = path.resolve(import.meta.dirname, '..')
const folders = ['agronomy', 'compliance', 'contracts', 'scripts', 'server', 'tests', 'web']
const skipped = /node_modules|migrations\/|\.gen\.ts$|db\/schema\.ts$|^scripts\/wording/
const isTest = (file: string) => /\.(?:test|spec)\.tsx?$/.test(file)

function main() {
  const number = { type: 'string' } as const
  const { values } = parseArgs({ options: { seed: number, comments: number, sentences: number, titles: number } })
  const seed = Number(values.seed ?? 1)
  const files = folders
    .flatMap((folder) => fs.readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`))
    .filter((file) => /\.tsx?$/.test(file) && !skipped.test(file))
    .sort()
    .map((file) => ({ file, code: fs.readFileSync(path.join(root, file), 'utf8') }))
  const kinds = {
    comments: [values.comments ?? 300, files.flatMap(({ file, code }) => commentsOf(file, code))],
    sentences: [
      values.sentences ?? 300,
      files.filter(({ file }) => /^(?:web|contracts)\//.test(file) && !isTest(file)).flatMap(({ file, code }) => sentencesOf(file, code)),
    ],
    titles: [values.titles ?? 100, files.filter(({ file }) => isTest(file)).flatMap(({ file, code }) => titlesOf(file, code))],
  } as const
  for (const [kind, [count, all]] of Object.entries(kinds)) {
    console.log(`\n## ${count} of ${all.length} ${kind}, seed ${seed}\n`)
    for (const { file, line, text } of draw(all, Number(count), seed)) console.log(`- ${file}:${line} ${text}`)
  }
}

if (import.meta.main) main()
