/**
 * What a page tells the service worker.
 * - `keep`: what the growing screens consist of, so that they open without a network
 * - `activate`: the person wants the newer version now
 */
export type ToWorker = 'keep' | 'activate'

export const isToWorker = (message: unknown): message is ToWorker => message === 'keep' || message === 'activate'
