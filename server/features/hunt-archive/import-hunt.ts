import { Worker } from 'node:worker_threads'
import type { Hunt } from '../../../contracts/hunts.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { createGate } from '../../kernel/gate.ts'
import { type ImportOutcome, type ImportTask, importDocument, type SentDocument } from './import-document.ts'

/**
 * One document is taken in at a time, by the whole process: it is held in memory as bytes and as rows. Others wait with their bodies
 * unread, for less than the time in which a request must arrive.
 */
export const importGate = createGate({ most: 1, mostWaiting: 4, maxWaitMs: 10_000 })

/** A larger document is parsed and stored in its own thread, so that no one else waits for it. */
const maxBytesInPlace = 256 * 1024
/** In megabytes, beside the document's bytes. A document that needs more is refused. */
const maxWorkerHeap = 192
const timeLimitMs = 120_000

/** @throws AppError as `importDocument` does, and too_large, unavailable */
export function importHunt(
  ctx: Pick<Context, 'db' | 'clock' | 'config'>,
  databaseUrl: string,
  actor: Actor,
  sent: SentDocument,
): Promise<Hunt> {
  if (sent.bytes.length <= maxBytesInPlace) return importDocument(ctx, actor, sent)
  const { bytes } = sent
  const { databasePoolSize, statementTimeoutMs, lockTimeoutMs } = ctx.config
  const settings = { databasePoolSize, statementTimeoutMs, lockTimeoutMs }
  const worker = new Worker(new URL('./import-worker.ts', import.meta.url), {
    workerData: { databaseUrl, settings, actor, now: ctx.clock.now(), sent } satisfies ImportTask,
    transferList: bytes.byteLength === bytes.buffer.byteLength ? [bytes.buffer as ArrayBuffer] : [],
    resourceLimits: { maxOldGenerationSizeMb: maxWorkerHeap },
    execArgv: [],
    env: {},
  })
  return new Promise<Hunt>((resolve, reject) => {
    const timer = setTimeout(() => reject(new AppError('unavailable', { retryAfterSeconds: 60 })), timeLimitMs)
    const tooLarge = () => new AppError('too_large', { message: 'This document takes more memory than one import may use.' })
    worker.once('message', (outcome: ImportOutcome) => {
      if ('hunt' in outcome) resolve(outcome.hunt)
      else if ('refused' in outcome) reject(new AppError(...outcome.refused))
      else reject(Object.assign(new Error(outcome.failed.message), { code: outcome.failed.code }))
    })
    worker.once('error', (error: NodeJS.ErrnoException) => reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge() : error))
    worker.once('exit', () => {
      clearTimeout(timer)
      reject(new AppError('unavailable', { retryAfterSeconds: 5 }))
    })
  }).finally(() => worker.terminate())
}
