import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { AppError } from '../kernel/errors.ts'
import { metricsPath } from './metrics.ts'

const retryAfterSeconds = 5
/** Whoever looks whether we are well must hear so when we are not. */
const alwaysAnswered = ['/healthz', '/readyz', metricsPath]

/** Refuses work with a 503 while the event loop is too far behind, instead of letting every request time out. */
export async function refuseOverload(app: FastifyInstance, config: Config): Promise<void> {
  if (config.maxEventLoopDelayMs === 0) return
  await app.register(underPressure, {
    maxEventLoopDelay: config.maxEventLoopDelayMs,
    sampleInterval: 500,
    pressureHandler(request) {
      if (alwaysAnswered.includes(request.url)) return
      throw new AppError('unavailable', { retryAfterSeconds })
    },
  })
}
