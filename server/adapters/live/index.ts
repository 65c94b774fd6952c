import type pg from 'pg'
import type { Config } from '../../config.ts'
import type { LiveBus } from '../../kernel/live.ts'
import type { Logger } from '../../log.ts'
import { createNotifyBus } from './pg-notify.ts'
import { createPollBus } from './poll.ts'

/** How this process hears of the others, as the operator chose. */
export function createLiveBus(config: Pick<Config, 'liveBus'>, database: { pool: pg.Pool; url: string }, log: Logger): LiveBus {
  return config.liveBus === 'poll' ? createPollBus({ pool: database.pool, log }) : createNotifyBus({ ...database, log })
}
