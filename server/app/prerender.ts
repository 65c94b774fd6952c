import fs from 'node:fs'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Boot } from '#contracts/boot.ts'
import type { Logger } from '#server/log.ts'
import type { PrerenderJob, PrerenderResult, PrerenderStart } from './prerender-worker.ts'

/** With more waiting than this, prerendering would only delay everyone. */
const maxWaiting = 8
/** After this many failures the worker isn't restarted; pages work without it. */
const maxFailures = 3

export type Prerender = {
  /** The screen at a URL as HTML, or '' if it isn't ready within `patience` ms; the browser then renders it. */
  render(href: string, boot: Boot, patience: number): Promise<string>
  stop(): Promise<void>
}

/**
 * Renders screens with the web app's code, in a worker thread, so that it doesn't block calls. If anything fails, the page is sent
 * without it.
 */
export function createPrerender(distDir: string, publicUrl: string, emptyBoot: Boot, log: Pick<Logger, 'warn'>): Prerender {
  const file = path.join(distDir, '.prerender/prerender.mjs')
  const isBuilt = fs.existsSync(file)
  const waiting = new Map<number, (html: string) => void>()
  let worker: Worker | null = null
  let failures = 0
  let count = 0

  function fail(error: unknown) {
    worker = null
    failures += 1
    log.warn({ err: error }, 'rendering pages failed')
    for (const answer of waiting.values()) answer('')
    waiting.clear()
  }

  function start(): Worker {
    const started = new Worker(new URL('./prerender-worker.ts', import.meta.url), {
      workerData: { file, publicUrl, boot: emptyBoot } satisfies PrerenderStart,
      resourceLimits: { maxOldGenerationSizeMb: 192 },
      // Don't pass on the server's flags. In tests they would make the router take the worker for a browser.
      execArgv: [],
      env: { NODE_ENV: 'production' },
    })
    started.unref()
    started.on('message', (result: PrerenderResult) => {
      if (result.html !== null) failures = 0
      else log.warn({ err: result.error }, 'a page could not be rendered')
      waiting.get(result.id)?.(result.html ?? '')
    })
    started.on('error', (error) => worker === started && fail(error))
    started.on('exit', () => {
      if (worker === started) worker = null
    })
    return started
  }

  return {
    render(href, boot, patience) {
      if (!isBuilt || failures >= maxFailures || waiting.size >= maxWaiting) return Promise.resolve('')
      worker ??= start()
      const id = ++count
      return new Promise((resolve) => {
        const answer = (html: string) => {
          clearTimeout(timer)
          waiting.delete(id)
          resolve(html)
        }
        const timer = setTimeout(answer, patience, '')
        waiting.set(id, answer)
        worker?.postMessage({ id, href, boot } satisfies PrerenderJob)
      })
    },
    async stop() {
      const running = worker
      worker = null
      await running?.terminate()
    },
  }
}
