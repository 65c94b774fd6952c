import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptedEncoding, type Encoding } from '#server/kernel/constant-answer.ts'

type Chunk = { file: string; isEntry?: boolean; imports?: string[]; css?: string[] }
type Manifest = Record<string, Chunk | undefined>

export type PageFiles = {
  fonts: string
  ofScreen(...keys: string[]): string
  /** Manifest keys of the code for the route at this path. */
  routeKeysAt(pathname: string): string[]
}

const firstFonts = ['ui/fonts/inter.woff2', 'ui/fonts/fraunces.woff2']

/** Makes tags from the bundler's manifest. Without them, the browser would request a screen's code only after the app has started. */
export function readPageFiles(distDir: string): PageFiles {
  const file = path.join(distDir, '.vite/manifest.json')
  const manifest: Manifest = fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as Manifest) : {}
  const known = filesOf(manifest, ['index.html'])
  const made = new Map<string, string>()
  const routes = routesOf(manifest)

  const tags = (keys: readonly string[]): string => {
    const { scripts, styles } = filesOf(manifest, keys)
    return [
      ...styles.filter((name) => !known.styles.includes(name)).map((name) => `<link rel="stylesheet" crossorigin href="/${name}">`),
      ...scripts.filter((name) => !known.scripts.includes(name)).map((name) => `<link rel="modulepreload" crossorigin href="/${name}">`),
    ].join('')
  }

  return {
    routeKeysAt: (pathname) => routes.find(({ pattern }) => pattern.test(pathname))?.keys ?? [],
    fonts: firstFonts
      .flatMap((font) => manifest[font]?.file ?? [])
      .map((href) => `<link rel="preload" href="/${href}" as="font" type="font/woff2" crossorigin>`)
      .join(''),
    ofScreen(...keys) {
      // Cached by existing keys only, because the keys come from URLs.
      const there = keys.filter((key) => manifest[key])
      const name = there.join()
      const before = made.get(name)
      if (before !== undefined) return before
      const now = tags(there)
      made.set(name, now)
      return now
    },
  }
}

function filesOf(manifest: Manifest, keys: readonly string[]): { scripts: string[]; styles: string[] } {
  const scripts = new Set<string>()
  const styles = new Set<string>()
  const visit = (key: string) => {
    const chunk = manifest[key]
    if (!chunk || scripts.has(chunk.file)) return
    scripts.add(chunk.file)
    for (const style of chunk.css ?? []) styles.add(style)
    for (const next of chunk.imports ?? []) visit(next)
  }
  for (const key of keys) visit(key)
  return { scripts: [...scripts], styles: [...styles] }
}

/** Routes by path pattern. If two match, the one whose first parameter comes later wins. */
function routesOf(manifest: Manifest): { pattern: RegExp; keys: string[] }[] {
  const names = Object.keys(manifest).flatMap((key) => /^routes\/(.+)\.tsx\?tsr-split=component$/.exec(key)?.[1] ?? [])
  const wordsBefore = (name: string) => (name.includes('$') ? name.indexOf('$') : Number.MAX_SAFE_INTEGER)
  return names
    .sort((a, b) => wordsBefore(b) - wordsBefore(a))
    .map((name) => ({ pattern: patternOf(name), keys: ['loader', 'component'].map((part) => `routes/${name}.tsx?tsr-split=${part}`) }))
}

/** `people.$id_.$list` matches /people/…/…, and `messages.{-$id}` also matches /messages. */
function patternOf(name: string): RegExp {
  const segments = name === 'index' ? [] : name.split('.').map((segment) => segment.replace(/_$/, ''))
  const parts = segments.map((segment) => (segment.startsWith('{-$') ? '(/[^/]+)?' : segment.startsWith('$') ? '/[^/]+' : `/${segment}`))
  return new RegExp(`^${parts.join('') || '/'}$`)
}

export const authKey = 'screens/sign-in/auth-screen.tsx'
export const memberFrameKey = 'screens/layout/member-frame.tsx'

const brotli = promisify(zlib.brotliCompress)
const gzip = promisify(zlib.gzip)

/** As with API calls, a higher compression quality would delay the page more than the smaller size saves. */
const quality = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } }

/**
 * Compresses with an encoding that the browser accepts and sets the headers. The compression plugin skips requests without a route, and
 * pages have none.
 */
export function compressPage(request: FastifyRequest, reply: FastifyReply, page: string): Promise<Buffer> {
  reply.header('vary', 'accept-encoding')
  const encoding = acceptedEncoding(request)
  if (encoding) reply.header('content-encoding', encoding)
  return encodePage(page, encoding)
}

export async function encodePage(page: string, encoding: Encoding | null): Promise<Buffer> {
  if (!encoding) return Buffer.from(page)
  return encoding === 'br' ? await brotli(page, quality) : await gzip(page)
}
