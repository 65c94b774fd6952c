import { minify } from 'terser'
import type { Plugin, Rolldown } from 'vite'

type Bundle = Rolldown.OutputBundle

/**
 * Minifies once more what every page loads first, with a slower minifier that finds about half a percent more. All of the code would
 * take it longer than the rest of the build.
 */
export function smallFirstLoad(): Plugin {
  return {
    name: 'sungrove-small-first-load',
    apply: 'build',
    enforce: 'post',
    async generateBundle(_options, bundle) {
      for (const chunk of firstChunks(bundle)) {
        const { code } = await minify(chunk.code, { module: true, ecma: 2020, compress: { passes: 3 } })
        if (code === undefined) throw new Error(`terser made nothing of ${chunk.fileName}`)
        chunk.code = code
      }
    },
  }
}

/** The entry and all that it imports before anything runs. */
function firstChunks(bundle: Bundle): Rolldown.OutputChunk[] {
  const found = new Map<string, Rolldown.OutputChunk>()
  const visit = (fileName: string) => {
    const chunk = bundle[fileName]
    if (chunk?.type !== 'chunk' || found.has(fileName)) return
    found.set(fileName, chunk)
    for (const next of chunk.imports) visit(next)
  }
  for (const chunk of Object.values(bundle)) if (chunk.type === 'chunk' && chunk.isEntry) visit(chunk.fileName)
  return [...found.values()]
}
