import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { AppError } from '../kernel/errors.ts'
import { metricsPath } from './metrics.ts'

const retryAfterSeconds = 5
/** Whoever looks whether we are well must hear so when we are not. */
const alwaysAnswered = ['/healthz', '/readyz', metricsPath]

/**
 * The parts of a page that has come already. Each is a small file from the disk, and a browser does not ask again for one that was refused:
 * the page would stay dead until it is loaded anew.
 */
const partsOfPages = '/assets/'

/** Refuses work with a 503 while the event loop is too far behind, instead of letting every request time out. */
export async function refuseOverload(app: FastifyInstance, config: Config): Promise<void> {
  if (config.maxEventLoopDelayMs === 0) return
  await app.register(underPressure, {
    maxEventLoopDelay: config.maxEventLoopDelayMs,
    sampleInterval: 500,
    pressureHandler(request) {
      if (alwaysAnswered.includes(request.url) || request.url.startsWith(partsOfPages)) return
      throw new AppError('unavailable', { retryAfterSeconds })
    },
  })
}
