import fs from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')
const folders = ['agronomy', 'compliance', 'contracts', 'server', 'web', 'scripts', 'tests', 'bench']
const generated = new Set(['web/route-tree.gen.ts', 'server/db/schema.ts'])

export type SourceFile = { path: string; text: string; lines: number; imports: Import[] }
export type Import = {
  /** As written: a package, a relative path, or `#folder/path` from the root of the project. */
  specifier: string
  /** The imported file, relative to the root of the project; null for a package. */
  target: string | null
  /** Names of the imported values, as exported: neither types nor `* as name`. */
  values: string[]
  isType: boolean
  isLazy: boolean
}

/** Every source file except those in `generated`, with its imports, including type-only and dynamic ones. */
export function readSourceFiles(): SourceFile[] {
  // Folders of packages are skipped unread: one of them holds more entries than all sources.
  return fs
    .globSync(`{${folders.join(',')}}/**/*.{ts,tsx,mjs,css}`, { cwd: root, exclude: ['**/node_modules'] })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !generated.has(file))
    .sort()
    .map((file) => {
      const text = fs.readFileSync(path.join(root, file), 'utf8')
      return { path: file, text, lines: text.split('\n').length, imports: file.endsWith('.css') ? [] : importsOf(file, text) }
    })
}

const importPattern =
  /^\s*(?:import|export)\s([^'"]*?)from\s+['"]([^'"]+)['"]|^\s*import\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm

function importsOf(file: string, text: string): Import[] {
  return [...text.matchAll(importPattern)].map(([, clause, from, bare, lazy]) => {
    const specifier = (from ?? bare ?? lazy) as string
    const isType = clause?.startsWith('type ') === true
    const target = targetOf(file, specifier.replace(/\?.*$/, ''))
    return { specifier, target, values: isType ? [] : valuesOf(clause ?? ''), isType, isLazy: lazy !== undefined }
  })
}

function valuesOf(clause: string): string[] {
  const [, inBraces = ''] = /\{([^}]*)\}/.exec(clause) ?? []
  const names = inBraces.split(',').map((name) => name.trim().replace(/ as .*/, ''))
  return names.filter((name) => name !== '' && !name.startsWith('type '))
}

function targetOf(file: string, specifier: string): string | null {
  if (specifier.startsWith('#')) return specifier.slice(1)
  return specifier.startsWith('.') ? path.posix.join(path.posix.dirname(file), specifier) : null
}
