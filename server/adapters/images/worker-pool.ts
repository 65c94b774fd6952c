import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { AppError } from '#server/kernel/errors.ts'
import {
  type MediaMaker,
  MediaRefused,
  type ProcessedDocument,
  type ProcessedPicture,
  type ProcessedVideo,
} from '#server/kernel/media-maker.ts'
import type { Logger } from '#server/log.ts'

export type Task = 'picture' | 'video' | 'document'
export type Request = { id: number; task: Task; bytes: Uint8Array }
/** A process sends one with the ID 0 once it has started. */
export type Reply = { id: number; made?: unknown; refused?: string; failed?: string }

type Job = { task: Task; bytes: Buffer; tries: number; resolve(made: unknown): void; reject(error: Error): void }

export type WorkerPool = { run(task: Task, bytes: Buffer): Promise<unknown>; pids(): number[]; stop(): Promise<void> }

export type PoolSettings = {
  log: Pick<Logger, 'warn'>
  entry: string
  maxWorkers?: number
  timeLimitMs?: Record<Task, number>
  idleMs?: number
}

const maxStartMs = 20_000

const unreadable = 'We couldn’t read this file within our time and memory limits. Make it smaller, or choose another one.'

/**
 * A few processes that open untrusted files, started on demand and stopped when idle. A process that takes too long is killed, and its
 * task fails. If one crashes, its task is retried once in another process, because the task may not be the cause. A process that can't
 * start says nothing about the file, so the error isn't `MediaRefused`, and the caller may retry later.
 */
export function createWorkerPool(settings: PoolSettings): WorkerPool {
  const { log, entry, maxWorkers = 2, idleMs = 300_000 } = settings
  const timeLimitMs = settings.timeLimitMs ?? { picture: 20_000, video: 20_000, document: 20_000 }
  const waiting: Job[] = []
  const workers = new Set<Worker>()
  let isStopped = false
  let lastId = 0

  type Worker = { child: ChildProcess; job: Job | null; id: number; isStarted: boolean; timer?: NodeJS.Timeout }

  const start = (): Worker => {
    const child = fork(entry, {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: ['--max-old-space-size=256'],
      // Omits the server's environment, which contains secrets.
      env: { MALLOC_ARENA_MAX: '2', ...(process.env.SystemRoot ? { SystemRoot: process.env.SystemRoot } : {}) },
    })
    const worker: Worker = { child, job: null, id: 0, isStarted: false }
    workers.add(worker)
    child.on('message', (reply: Reply) => {
      if (!worker.isStarted && worker.job) limitTime(worker, worker.job)
      worker.isStarted = true
      finish(worker, reply)
    })
    const leave = (how: object) => {
      workers.delete(worker)
      clearTimeout(worker.timer)
      const job = worker.job
      worker.job = null
      if (job) {
        log.warn({ ...how, task: job.task, bytes: job.bytes.length }, 'a media process crashed')
        if (worker.isStarted) again(job)
        else job.reject(isStopped ? new AppError('unavailable') : notStarted())
      }
      next()
    }
    child.on('error', (err) => {
      log.warn({ err }, 'a media process failed')
      // Without a process, there is no `exit` event.
      if (child.pid === undefined) leave({})
    })
    child.once('exit', (code, signal) => leave({ code, signal }))
    return worker
  }

  const notStarted = () => new Error('A media process could not be started.')

  const again = (job: Job) => {
    if (isStopped) job.reject(new AppError('unavailable'))
    else if (job.tries >= 2) job.reject(new MediaRefused(unreadable))
    else waiting.unshift(job)
  }

  const finish = (worker: Worker, reply: Reply) => {
    const { job } = worker
    if (!job || reply.id !== worker.id) return
    clearTimeout(worker.timer)
    worker.job = null
    if (reply.refused !== undefined) job.reject(new MediaRefused(reply.refused))
    else if (reply.failed !== undefined) job.reject(new Error(`a media process failed: ${reply.failed}`))
    else job.resolve(reply.made)
    worker.timer = setTimeout(() => worker.child.kill('SIGKILL'), idleMs).unref()
    worker.child.unref()
    worker.child.channel?.unref()
    next()
  }

  const limitTime = (worker: Worker, job: Job) => {
    clearTimeout(worker.timer)
    worker.timer = setTimeout(() => {
      worker.job = null
      log.warn({ task: job.task, bytes: job.bytes.length }, 'a media process took too long and was stopped')
      job.reject(new MediaRefused(unreadable))
      worker.child.kill('SIGKILL')
    }, timeLimitMs[job.task])
  }

  const give = (worker: Worker, job: Job) => {
    clearTimeout(worker.timer)
    worker.child.ref()
    worker.child.channel?.ref()
    worker.job = job
    worker.id = ++lastId
    job.tries++
    if (worker.isStarted) limitTime(worker, job)
    else worker.timer = setTimeout(() => worker.child.kill('SIGKILL'), maxStartMs)
    worker.child.send({ id: worker.id, task: job.task, bytes: job.bytes } satisfies Request, (error) => {
      // The pipe broke. The `exit` event handles the rest.
      if (error) worker.child.kill('SIGKILL')
    })
  }

  const next = () => {
    if (isStopped) return
    while (waiting.length > 0) {
      const free = [...workers].find((worker) => worker.job === null && worker.child.connected && !worker.child.killed)
      if (!free && workers.size >= maxWorkers) return
      give(free ?? start(), waiting.shift() as Job)
    }
  }

  return {
    run: (task, bytes) =>
      new Promise((resolve, reject) => {
        if (isStopped) return reject(new AppError('unavailable'))
        waiting.push({ task, bytes, tries: 0, resolve, reject })
        next()
      }),
    pids: () => [...workers].flatMap(({ child }) => child.pid ?? []),
    async stop() {
      isStopped = true
      for (const job of waiting.splice(0)) job.reject(new AppError('unavailable'))
      await Promise.all(
        [...workers].map(async ({ child }) => {
          const gone = child.exitCode !== null || child.signalCode !== null ? null : once(child, 'exit')
          child.ref()
          child.kill('SIGKILL')
          await gone
        }),
      )
    },
  }
}

type Limits = Partial<Pick<PoolSettings, 'maxWorkers' | 'timeLimitMs' | 'idleMs'>>

/** Processes pictures with sharp, videos with mediabunny and documents with pdf-lib, in at most two worker processes. */
export function createMediaMaker(log: Pick<Logger, 'warn'>, limits: Limits = {}): MediaMaker & { pids(): number[] } {
  const pool = createWorkerPool({ log, entry: path.join(import.meta.dirname, 'media-worker.ts'), ...limits })
  return {
    makePicture: async (bytes) => (await pool.run('picture', bytes)) as ProcessedPicture,
    makeVideo: async (bytes) => (await pool.run('video', bytes)) as ProcessedVideo,
    makeDocument: async (bytes) => (await pool.run('document', bytes)) as ProcessedDocument,
    pids: () => pool.pids(),
    stop: () => pool.stop(),
  }
}
