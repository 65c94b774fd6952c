import { parentPort, workerData } from 'node:worker_threads'
import type { Boot } from '#contracts/boot.ts'
import type { VisitorPage } from '#contracts/visitor-pages.ts'

export type StaticPagesStart = { file: string; publicUrl: string; boot: Boot }

/** `page` is null for all pages that depend only on the site. */
export type RenderRequest = { id: number; page: VisitorPage | null }
export type RenderAnswer = { id: number; html?: string | Record<string, string>; error?: string }

const { file, publicUrl, boot } = workerData as StaticPagesStart

// The app's code reads the site's data from the page when it loads.
Object.assign(globalThis, {
  document: { title: '', getElementById: () => ({ textContent: JSON.stringify(boot) }), addEventListener() {} },
  location: new URL(publicUrl),
})
type Renderers = {
  renderStaticPages(): Promise<Record<string, string>>
  renderVisitorPage(page: VisitorPage): Promise<string>
}
const loaded = import(file) as Promise<Renderers>

parentPort?.on('message', async ({ id, page }: RenderRequest) => {
  const answer = (part: Omit<RenderAnswer, 'id'>) => parentPort?.postMessage({ id, ...part } satisfies RenderAnswer)
  try {
    const { renderStaticPages, renderVisitorPage } = await loaded
    answer({ html: page ? await renderVisitorPage(page) : await renderStaticPages() })
  } catch (error) {
    answer({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
})
