/**
 * What a page tells the service worker. The two may be of different versions of the app: what is known by now keeps its form.
 * - `keep`: what the growing screens consist of, so that they open without a network
 * - `activate`: the person wants the newer version now
 * - `startedBy`: the app's own script in the page, to a worker that waits. It answers through the port that comes along whether that is of
 *   its own version
 */
export type ToWorker = 'keep' | 'activate' | { startedBy: string }

export const isToWorker = (message: unknown): message is ToWorker =>
  message === 'keep' || message === 'activate' || (typeof message === 'object' && message !== null && 'startedBy' in message)
