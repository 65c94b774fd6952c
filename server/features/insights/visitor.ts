import { createHmac, randomBytes } from 'node:crypto'
import type { Db } from '../../db/connect.ts'
import { type Day, utcDay } from './days.ts'

/** Who visits: an account, or an address group with a program's name. Held in memory for as long as a request takes. */
export type Identity = { accountId: string } | { addressGroup: string; userAgent: string }

/**
 * A visitor of one business on one day, as a number of 64 bits. It cannot be found again on another day, at another business, or, once the
 * day's salt is deleted, at all.
 */
export function visitorKey(salt: Buffer, businessId: string, identity: Identity): bigint {
  const who = 'accountId' in identity ? ['account', identity.accountId] : ['address', identity.addressGroup, identity.userAgent]
  return createHmac('sha256', salt)
    .update(JSON.stringify([businessId, ...who]))
    .digest()
    .readBigInt64BE()
}

/** The salt of a UTC day, the same for all processes; made by the first one that asks. */
export function createSalts(db: Db): { of(time: Date): Promise<Buffer> } {
  let known: { day: Day; salt: Promise<Buffer> } | null = null
  return {
    of(time) {
      const day = utcDay(time)
      if (known?.day !== day) {
        const salt = readSalt(db, day)
        known = { day, salt }
        // A failure is not kept.
        salt.catch(() => {
          known = null
        })
      }
      return known.salt
    },
  }
}

async function readSalt(db: Db, day: Day): Promise<Buffer> {
  await db
    .insertInto('visit_salts')
    .values({ day, salt: randomBytes(32) })
    .onConflict((conflict) => conflict.column('day').doNothing())
    .execute()
  return (await db.selectFrom('visit_salts').select('salt').where('day', '=', day).executeTakeFirstOrThrow()).salt
}

/** All but the day's own, under which somebody may still come again. */
export const dropOldSalts = (db: Db, now: Date) => db.deleteFrom('visit_salts').where('day', '<', utcDay(now)).execute()
