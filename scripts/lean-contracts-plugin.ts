import fs from 'node:fs'
import path from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import type { Plugin } from 'vite'

type Node = { type: string; start: number; end: number; [key: string]: unknown }
type Span = readonly [start: number, end: number]

const contract = /\/contracts\/(?!without-eval)[\w-]+\.ts$/
/** Import suffix for a contract's endpoints without schemas, as a separate module. */
const callsOnly = '?calls'
const withoutEval = "import './without-eval.ts'\n"
/** Properties of an endpoint that only the server reads. */
const serverOnly = new Set(['response', 'query', 'params', 'summary', 'tag', 'access', 'rateLimit', 'maxBytes'])

/**
 * Strips what only the server reads from endpoints: the schemas of requests and responses, except bodies that a form validates
 * (`createPost.body`). Endpoints without schemas become a separate module, so that a page that only calls them doesn't load Zod.
 */
export function leanContracts(webFolder: string): Plugin {
  let checkedBodies = new Set<string>()
  return {
    name: 'sungrove-lean-contracts',
    apply: 'build',
    enforce: 'pre',
    buildStart() {
      checkedBodies = bodiesRead(webFolder)
    },
    resolveId(source, importer) {
      if (source.endsWith(callsOnly) && importer) return path.resolve(path.dirname(importer), source)
    },
    load(id) {
      if (!id.endsWith(callsOnly)) return
      const file = id.slice(0, -callsOnly.length)
      return { code: leanContract(fs.readFileSync(file, 'utf8'), path.basename(file), checkedBodies).calls, moduleSideEffects: false }
    },
    transform(code, id) {
      const isOwnSchema = id.startsWith(webFolder) && /\.tsx?$/.test(id) && code.includes("from 'zod/mini'")
      if (isOwnSchema) return { code: `import '${path.posix.join(webFolder, '../contracts/without-eval.ts')}'\n${code}`, map: null }
      if (!contract.test(id.replaceAll('\\', '/'))) return
      const name = path.basename(id)
      // The import that keeps Zod from generating code goes where the schemas are.
      if (name === 'endpoint.ts') return { code: code.replace(withoutEval, ''), map: null, moduleSideEffects: false }
      return { code: leanContract(code, name, checkedBodies).code, map: null, moduleSideEffects: false }
    },
  }
}

/** Names of endpoints whose body schema the web app reads. */
function bodiesRead(folder: string): Set<string> {
  const names = new Set<string>()
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!/\.tsx?$/.test(entry.name)) continue
    const text = fs.readFileSync(path.join(entry.parentPath, entry.name), 'utf8')
    for (const [, name] of text.matchAll(/\b(\w+)\.body\b/g)) if (name) names.add(name)
  }
  return names
}

/**
 * Splits a contract in two. `calls`: endpoints that need no schema, and plain values, in JavaScript. `code`: the rest of the source,
 * with each call that creates a value marked as free of side effects.
 */
export function leanContract(code: string, fileName: string, checkedBodies: ReadonlySet<string>): { code: string; calls: string } {
  const calls: string[] = []
  const names: string[] = []
  const cuts: Span[] = []
  const marks: number[] = []
  const wraps: Span[] = []
  for (const statement of parseAst(code, { lang: 'ts' }).body as unknown as Node[]) {
    const declaration = (statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement) as Node | null
    if (declaration?.type !== 'VariableDeclaration') continue
    for (const { id, init } of declaration.declarations as { id: Node; init: Node | null }[]) {
      if (!init) continue
      const name = id.name as string
      const properties = keptProperties(init, checkedBodies.has(name))
      const plain = declaration !== statement ? plainOf(init) : null
      if (plain) {
        calls.push(`export const ${name} = ${code.slice(plain.start, plain.end)}`)
        names.push(name)
        cuts.push([statement.start, statement.end])
        continue
      }
      if (properties?.every(({ value }) => (value as Node).type === 'Literal') && declaration !== statement) {
        calls.push(`export const ${name} = ${pure}endpoint({ ${properties.map(({ start, end }) => code.slice(start, end)).join(', ')} })`)
        names.push(name)
        cuts.push([statement.start, statement.end])
        continue
      }
      for (const { start } of callsIn(init)) if (!marks.includes(start)) marks.push(start)
      if (init.type === 'CallExpression' ? spreads(init) : readsMore(init)) wraps.push([init.start, init.end])
      if (properties)
        for (const property of propertiesOf(init))
          if (!properties.includes(property)) cuts.push([property.start, afterComma(code, property.end)])
    }
  }
  const imported =
    names.length > 0 ? `import { ${names.join(', ')} } from './${fileName}${callsOnly}'\nexport { ${names.join(', ')} }\n` : ''
  return {
    code: (code.includes("'zod/mini'") ? withoutEval : '') + imported + edited(code, cuts, marks, wraps),
    calls: `import { endpoint } from './endpoint.ts'\n${calls.join('\n')}\n`,
  }
}

/** A number, a string, or a list of them: a page that reads one needs no schema either. */
function plainOf(init: Node): Node | null {
  const value = init.type === 'TSAsExpression' ? (init.expression as Node) : init
  if (value.type === 'Literal') return value
  return value.type === 'ArrayExpression' && (value.elements as Node[]).every((element) => element?.type === 'Literal') ? value : null
}

const propertiesOf = (init: Node): Node[] => ((init.arguments as Node[])[0] as unknown as { properties: Node[] }).properties

/** Properties of an endpoint that the browser reads; undefined if it isn't an endpoint. */
function keptProperties(init: Node, isBodyChecked: boolean): Node[] | undefined {
  const isCall = init.type === 'CallExpression' && (init.callee as Node).name === 'endpoint'
  if (!isCall || (init.arguments as Node[])[0]?.type !== 'ObjectExpression') return undefined
  return propertiesOf(init).filter((property) => {
    const key = (property.key as Node | undefined)?.name as string | undefined
    return key === undefined || !(serverOnly.has(key) || (key === 'body' && !isBodyChecked))
  })
}

/** All calls made when a value is created, but not those inside functions in it. */
function callsIn(node: Node): Node[] {
  if (/Function/.test(node.type)) return []
  const inside = children(node).flatMap(callsIn)
  return node.type === 'CallExpression' ? [node, ...inside] : inside
}

/** Whether a value reads the contents of schemas, such as `[...A.options]` or `A.options`. */
const readsMore = (node: Node): boolean => contains(node, /^(SpreadElement|MemberExpression)$/)
const spreads = (node: Node): boolean => contains(node, /^SpreadElement$/)

function contains(node: Node, type: RegExp): boolean {
  if (/Function/.test(node.type)) return false
  return type.test(node.type) || children(node).some((inner) => contains(inner, type))
}

const children = (node: Node): Node[] => Object.values(node).flatMap((value) => (Array.isArray(value) ? value : [value]).filter(isNode))
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

const afterComma = (code: string, end: number) => end + (/^\s*,/.exec(code.slice(end))?.[0].length ?? 0)

const pure = '/* @__PURE__ */ '

function edited(code: string, cuts: readonly Span[], marks: readonly number[], wraps: readonly Span[]): string {
  const isCut = (at: number) => cuts.some(([start, end]) => at >= start && at < end)
  const edits = [
    ...cuts.map(([start, end]) => ({ start, end, text: '' })),
    ...marks.filter((at) => !isCut(at)).map((at) => ({ start: at, end: at, text: pure })),
    ...wraps.flatMap(([start, end]) => [
      { start, end: start, text: `${pure}(() => (` },
      { start: end, end, text: '))()' },
    ]),
  ]
  let result = code
  for (const { start, end, text } of edits.sort((a, b) => b.start - a.start)) result = result.slice(0, start) + text + result.slice(end)
  return result
}
