import { parentPort, workerData } from 'node:worker_threads'
import type { Boot } from '#contracts/boot.ts'

/** The build of web/static-pages.tsx, and a page without a viewer. */
export type StaticPagesStart = { file: string; publicUrl: string; boot: Boot }

const { file, publicUrl, boot } = workerData as StaticPagesStart

// The app's code reads its site's data from the page when it is loaded.
Object.assign(globalThis, {
  document: { title: '', getElementById: () => ({ textContent: JSON.stringify(boot) }) },
  location: new URL(publicUrl),
})
const { renderStaticPages } = (await import(file)) as { renderStaticPages(): Promise<Record<string, string>> }
parentPort?.postMessage(await renderStaticPages())
