import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Boot } from '#contracts/boot.ts'
import type { StaticPagesStart } from './static-pages-worker.ts'

/** HTML by path; of the start page, also by `?age-gate=passed`. */
type Pages = Record<string, string>

export type StaticPages = {
  /** The content of a page's body; undefined if the path has no static page. */
  at(address: string): Promise<string | undefined>
}

/**
 * The pages that visitors get as complete HTML. They depend only on the site, so they are rendered once per process, in a short-lived
 * worker thread. Not at build time, because the site's name and addresses are configuration.
 */
export function createStaticPages(distDir: string, publicUrl: string, boot: Boot): StaticPages {
  const file = path.join(distDir, '.static-pages/static-pages.mjs')
  if (!fs.existsSync(file)) return { at: async () => undefined }
  let rendered: Promise<Pages> | undefined
  return {
    async at(address) {
      rendered ??= renderInWorker({ file, publicUrl, boot })
      try {
        return (await rendered)[address]
      } catch (error) {
        // The next request tries again.
        rendered = undefined
        throw error
      }
    },
  }
}

/** @throws whatever the worker threw */
async function renderInWorker(start: StaticPagesStart): Promise<Pages> {
  const worker = new Worker(new URL('./static-pages-worker.ts', import.meta.url), {
    workerData: start,
    // Don't pass on the server's flags: in tests they would make the router take the worker for a browser.
    execArgv: [],
    env: { NODE_ENV: 'production' },
  })
  try {
    const [pages] = (await once(worker, 'message')) as [Pages]
    return pages
  } finally {
    await worker.terminate()
  }
}
