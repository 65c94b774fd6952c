import fs from 'node:fs'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import type { Boot } from '#contracts/boot.ts'
import { minuteMs } from '#contracts/time.ts'
import type { VisitorPage } from '#contracts/visitor-pages.ts'
import type { RenderAnswer, RenderRequest, StaticPagesStart } from './static-pages-worker.ts'

/** HTML by path. `?age-gate=passed` is the start page after the age gate. */
type StaticHtml = Record<string, string>

export type PageRenderer = {
  /** Content of the page's body. Undefined if the path has no static page. */
  staticPage(address: string): Promise<string | undefined>
  /** Content of the page's body. The same page is rendered only once. */
  visitorPage(page: VisitorPage): Promise<string>
  close(): Promise<void>
}

/** In bytes. A page is a pure function of its data, so it never goes stale. */
const maxCachedBytes = 16 * 1024 * 1024
/** The thread costs about 40 MB, so it ends when no longer needed. */
const idleMs = minuteMs

/**
 * Renders the pages that visitors get as complete HTML, with the web app's components in a worker thread. Pages that depend only on the
 * site are rendered once per process. The build can't render them, because the site's name and URLs are configuration.
 */
export function createPageRenderer(distDir: string, publicUrl: string, boot: Boot): PageRenderer | null {
  const file = path.join(distDir, '.static-pages/static-pages.mjs')
  if (!fs.existsSync(file)) return null
  const thread = createThread({ file, publicUrl, boot })
  const pages = new LRUCache<string, string, VisitorPage>({
    maxSize: maxCachedBytes,
    sizeCalculation: (html, key) => 2 * (html.length + key.length),
    // Concurrent requests share one rendering.
    fetchMethod: async (_key, _stale, { context }) => (await thread.ask({ page: context })) as string,
  })
  let rendered: Promise<StaticHtml> | undefined
  return {
    async staticPage(address) {
      rendered ??= thread.ask({ page: null }) as Promise<StaticHtml>
      try {
        return (await rendered)[address]
      } catch (error) {
        rendered = undefined
        throw error
      }
    },
    visitorPage: (page) => pages.forceFetch(JSON.stringify(page), { context: page }),
    close: thread.close,
  }
}

type Waiting = { resolve(html: StaticHtml | string): void; reject(error: Error): void }

/** Starts with the first request and ends after it hasn't been used for a while. */
function createThread(start: StaticPagesStart) {
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let count = 0
  const waiting = new Map<number, Waiting>()

  function stop(error: Error): Promise<number> | undefined {
    clearTimeout(idle)
    const stopped = worker
    worker = undefined
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
    return stopped?.terminate()
  }

  function startWorker(): Worker {
    const started = new Worker(new URL('./static-pages-worker.ts', import.meta.url), {
      workerData: start,
      // Omits the server's flags: in tests they would make the router mistake the worker for a browser.
      execArgv: [],
      env: { NODE_ENV: 'production' },
    })
    started.on('message', ({ id, html, error }: RenderAnswer) => {
      const asker = waiting.get(id)
      waiting.delete(id)
      if (html === undefined) asker?.reject(new Error(`rendering failed: ${error}`))
      else asker?.resolve(html)
    })
    started.on('error', (error: Error) => {
      if (worker === started) void stop(error)
    })
    started.on('exit', () => {
      if (worker === started) void stop(new Error('the rendering thread ended'))
    })
    return started
  }

  return {
    ask(request: Pick<RenderRequest, 'page'>): Promise<StaticHtml | string> {
      worker ??= startWorker()
      const id = ++count
      clearTimeout(idle)
      idle = setTimeout(() => {
        if (waiting.size === 0) void stop(new Error('idle'))
        else idle?.refresh()
      }, idleMs)
      idle.unref()
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        worker?.postMessage({ id, ...request })
      })
    },
    async close() {
      await stop(new Error('the server is stopping'))
    },
  }
}
