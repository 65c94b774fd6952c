/**
 * Messages from pages to the service worker. The two may have different versions, so existing messages must not change.
 * - `keep`: cache the growing screens for offline use
 * - `activate`: the person wants the newer version now
 * - `startedBy`: sent to a waiting worker with the page's app script. It replies through the given port whether that is its own version
 */
export type ToWorker = 'keep' | 'activate' | { startedBy: string }

export const isToWorker = (message: unknown): message is ToWorker =>
  message === 'keep' || message === 'activate' || (typeof message === 'object' && message !== null && 'startedBy' in message)
