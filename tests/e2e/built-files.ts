import fs from 'node:fs'
import path from 'node:path'

const manifestFile = path.join(import.meta.dirname, '../../dist/.vite/manifest.json')

/** The path of the built file for a module, such as "screens/sign-in/auth-screen.tsx". */
export function builtFile(module: string): string {
  const manifest = JSON.parse(fs.readFileSync(manifestFile, 'utf8')) as Record<string, { file: string }>
  const found = Object.entries(manifest).find(([source]) => source.startsWith(module))
  if (!found) throw new Error(`The build has no file for ${module}.`)
  return `/${found[1].file}`
}
