import { differentBits, fingerprint, mostDifferentBits } from '../../../compliance/repeats.ts'
import type { Db } from '../../db/connect.ts'
import type { Writer } from './writer.ts'

export const rememberedMs = 86_400_000

/** From so many new accounts the same words are a campaign. */
const manyNewWriters = 3
/** Whoever wrote more than this in a day is compared with the latest of it. */
const mostCompared = 200

/**
 * Whether nearly the same words were written within the last day by the same account, or the same ones by several new accounts; these
 * are remembered from now on. With the id of what says them they are not compared with their own earlier version.
 */
export async function isSaidAgain(db: Db, writer: Writer, subjectId: string | undefined, text: string, now: Date): Promise<boolean> {
  const print = fingerprint(text)
  if (print === null) return false
  const since = new Date(now.getTime() - rememberedMs)
  const own = await db
    .selectFrom('recent_words')
    .select('fingerprint')
    .where('user_id', '=', writer.id)
    .where('said_at', '>', since)
    .$if(subjectId !== undefined, (query) => query.where('subject_id', '<>', subjectId as string))
    .orderBy('said_at', 'desc')
    .limit(mostCompared)
    .execute()
  const isOwnRepeat = own.some((row) => differentBits(row.fingerprint, print) <= mostDifferentBits)
  const isCampaign = !isOwnRepeat && writer.trust === 'new' && (await newWritersOf(db, print, writer.id, since)) + 1 >= manyNewWriters
  if (subjectId !== undefined) {
    const said = { fingerprint: print, is_new_writer: writer.trust === 'new', said_at: now }
    await db
      .insertInto('recent_words')
      .values({ subject_id: subjectId, user_id: writer.id, ...said })
      .onConflict((conflict) => conflict.column('subject_id').doUpdateSet(said))
      .execute()
  }
  return isOwnRepeat || isCampaign
}

async function newWritersOf(db: Db, print: string, except: string, since: Date): Promise<number> {
  const { writers } = await db
    .selectFrom('recent_words')
    .select((eb) => eb.fn.count<number>('user_id').distinct().as('writers'))
    .where('fingerprint', '=', print)
    .where('is_new_writer', '=', true)
    .where('said_at', '>', since)
    .where('user_id', '<>', except)
    .executeTakeFirstOrThrow()
  return Number(writers)
}
