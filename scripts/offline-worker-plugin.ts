import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { rolldown } from 'rolldown'
import type { Plugin, Rolldown } from 'vite'

const entry = path.join(import.meta.dirname, '../web/entities/offline/worker/sw.ts')

/** Route files of the screens that work offline. */
const growingRoute = /\/web\/routes\/pheno-hunt[^/]*\.tsx/
/** Parts of the app's frame in separate chunks that load right after the first paint. */
const framePart = /\/web\/(screens\/layout|ui)\//
/** Can't be reached from the growing pages when signed in. Other files are cached once used: see `fetchAsset` in worker/pages.ts. */
const neverThere = /\/web\/(entities\/accounts|screens\/(sign-in|onboarding))\//

export function offlineWorker(): Plugin {
  return {
    name: 'sungrove-offline-worker',
    configureServer(server) {
      server.middlewares.use('/sw.js', async (_request, response) => {
        response.setHeader('content-type', 'text/javascript').setHeader('cache-control', 'no-cache')
        response.end(await bundleWorker({ version: 'dev', files: [] }))
      })
    },
    async writeBundle({ dir }, bundle) {
      if (!dir) return
      const files = growingFiles(bundle)
      const version = createHash('sha256').update(files.join()).digest('base64url').slice(0, 10)
      await fs.writeFile(path.join(dir, 'sw.js'), await bundleWorker({ version, files }))
    },
  }
}

async function bundleWorker(build: { version: string; files: string[] }): Promise<string> {
  const bundle = await rolldown({ input: entry, transform: { define: { __BUILD__: JSON.stringify(build) } } })
  const { output } = await bundle.generate({ format: 'iife', minify: true })
  await bundle.close()
  return output[0].code
}

/** Paths of all files that the offline screens load: the app's entry, their routes, dynamic imports, styles and fonts. */
function growingFiles(bundle: Rolldown.OutputBundle): string[] {
  const files = new Set<string>()
  const chunks = Object.values(bundle).filter((part) => part.type === 'chunk')
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))

  const add = (name: string, follows: (module: string) => boolean) => {
    const chunk = byName.get(name)
    if (!chunk || files.has(name)) return
    files.add(name)
    for (const css of chunk.viteMetadata?.importedCss ?? []) files.add(css)
    for (const next of chunk.imports) add(next, follows)
    for (const next of chunk.dynamicImports) if (follows(byName.get(next)?.facadeModuleId ?? '')) add(next, follows)
  }
  const isScreen = (module: string) => module.includes('/web/routes/')
  for (const { fileName, isEntry } of chunks) if (isEntry) add(fileName, (module) => framePart.test(module) && !neverThere.test(module))
  for (const { fileName, facadeModuleId } of chunks) {
    if (growingRoute.test(facadeModuleId ?? '')) add(fileName, (module) => !isScreen(module) && !neverThere.test(module))
  }
  for (const name of Object.keys(bundle)) if (name.endsWith('.woff2')) files.add(name)
  return [...files, 'favicon.svg', 'manifest.webmanifest', 'offline.css', 'icons/192.png'].map((name) => `/${name}`).sort()
}
