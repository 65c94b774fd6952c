import type pg from 'pg'
import type { Config } from '#server/config.ts'
import type { LiveBus } from '#server/kernel/live.ts'
import type { Logger } from '#server/log.ts'
import { createNotifyBus } from './pg-notify.ts'
import { createPollBus } from './poll.ts'

export function createLiveBus(config: Pick<Config, 'liveBus'>, database: { pool: pg.Pool; url: string }, log: Logger): LiveBus {
  return config.liveBus === 'poll' ? createPollBus({ pool: database.pool, log }) : createNotifyBus({ ...database, log })
}
