import path from 'node:path'
import type { MadeDocument, MadePicture, MadeVideo, MediaMaker } from '#server/kernel/media-maker.ts'
import type { Logger } from '#server/log.ts'
import { createWorkerPool, type PoolSettings } from './worker-pool.ts'

type Limits = Partial<Pick<PoolSettings, 'maxWorkers' | 'timeLimitMs' | 'idleMs'>>

/** Pictures by sharp, videos by mediabunny, documents by pdf-lib, in at most two worker processes. */
export function createMediaMaker(log: Pick<Logger, 'warn'>, limits: Limits = {}): MediaMaker & { pids(): number[] } {
  const pool = createWorkerPool({ log, entry: path.join(import.meta.dirname, 'media-worker.ts'), ...limits })
  return {
    makePicture: async (bytes) => (await pool.run('picture', bytes)) as MadePicture,
    makeVideo: async (bytes) => (await pool.run('video', bytes)) as MadeVideo,
    makeDocument: async (bytes) => (await pool.run('document', bytes)) as MadeDocument,
    pids: () => pool.pids(),
    stop: () => pool.stop(),
  }
}
