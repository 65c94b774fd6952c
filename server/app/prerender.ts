import fs from 'node:fs'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Boot } from '../../contracts/boot.ts'
import type { Logger } from '../log.ts'
import type { PrerenderJob, PrerenderResult, PrerenderStart } from './prerender-worker.ts'

/** More than these at once is a rush, in which drawing for others would only make everybody wait. */
const mostWaiting = 8
/** A worker that fails again and again is given up: pages are complete without it. */
const mostFailures = 3

export type Prerender = {
  /** The screen at an address as HTML, or '' where there is none within `patience`, in milliseconds: then the browser draws it. */
  render(href: string, boot: Boot, patience: number): Promise<string>
  stop(): Promise<void>
}

/**
 * Draws screens with the code that the browser runs, in a thread of its own, so that drawing holds up nobody's calls. Whatever goes wrong
 * there, the page is sent without it.
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
    log.warn({ err: error }, 'drawing pages failed')
    for (const answer of waiting.values()) answer('')
    waiting.clear()
  }

  function start(): Worker {
    const started = new Worker(new URL('./prerender-worker.ts', import.meta.url), {
      workerData: { file, publicUrl, boot: emptyBoot } satisfies PrerenderStart,
      resourceLimits: { maxOldGenerationSizeMb: 192 },
      // The server's own flags are not for it. In tests the router would take itself for a browser's.
      execArgv: [],
      env: { NODE_ENV: 'production' },
    })
    started.unref()
    started.on('message', (result: PrerenderResult) => {
      if (result.html !== null) failures = 0
      else log.warn({ err: result.error }, 'a page could not be drawn')
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
      if (!isBuilt || failures >= mostFailures || waiting.size >= mostWaiting) return Promise.resolve('')
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
