import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { rolldown } from 'rolldown'
import type { Plugin, Rolldown } from 'vite'

const entry = path.join(import.meta.dirname, '../web/features/offline/worker/sw.ts')

/** The screens that open without a network, by their route files. */
const growingRoute = /\/web\/routes\/pheno-hunt[^/]*\.tsx/
/** What of the app's frame is loaded by itself, a moment after the first paint. */
const framePart = /\/web\/(features\/layout|ui)\//
/** What nobody who is signed in comes to from there. Other files are kept once they have been used: see `asset` in worker/shell-cache.ts. */
const neverThere = /\/web\/features\/(accounts|onboarding)\//

/** Builds the service worker, with the list of what the build has made for the growing screens in it. */
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

/** The addresses of all that the growing screens load: the app's own start, their routes, what these fetch later, styles and fonts. */
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
