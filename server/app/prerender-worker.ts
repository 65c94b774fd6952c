import { parentPort, workerData } from 'node:worker_threads'
import type { Boot } from '#contracts/boot.ts'

/** Passed to the worker at startup: the build of web/prerender.tsx, and a page without a viewer. */
export type PrerenderStart = { file: string; publicUrl: string; boot: Boot }
export type PrerenderJob = { id: number; href: string; boot: Boot }
export type PrerenderResult = { id: number; html: string } | { id: number; html: null; error: unknown }

type Prerender = (href: string, boot: Boot) => Promise<string>

/** The few browser globals that the app reads when its code is loaded. */
function standInForPage(publicUrl: string, boot: Boot): void {
  const page = {
    title: '',
    cookie: '',
    documentElement: { dataset: {} },
    getElementById: () => ({ textContent: JSON.stringify(boot), hasAttribute: () => false }),
    addEventListener: () => undefined,
  }
  Object.assign(globalThis, { document: page, location: new URL(publicUrl) })
}

const { file, publicUrl, boot } = workerData as PrerenderStart
standInForPage(publicUrl, boot)
const { prerender } = (await import(file)) as { prerender: Prerender }

// One at a time: see web/prerender.tsx.
let last: Promise<unknown> = Promise.resolve()
parentPort?.on('message', ({ id, href, boot: page }: PrerenderJob) => {
  const answer = (result: PrerenderResult) => parentPort?.postMessage(result)
  last = last
    .then(() => prerender(href, page))
    .then(
      (html) => answer({ id, html }),
      (error: unknown) => answer({ id, html: null, error }),
    )
})
